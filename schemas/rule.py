"""A rule as it is kept: what, where, when, since when, on whose word."""

from datetime import datetime
from enum import StrEnum

from pydantic import AwareDatetime

from .base import Shape
from .ids import RuleId, TurnId
from .labels import Kind, LabelledBy, Polarity, Span
from .scope import Condition, Scope, Until
from .turn import Reference


class State(StrEnum):
    """What became of a rule."""

    ACTIVE = "active"
    PROPOSED = "proposed"
    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"
    RETIRED = "retired"
    EXPIRED = "expired"


class Provenance(StrEnum):
    """Where a rule comes from."""

    STATED = "stated"
    INFERRED = "inferred"
    IMPORTED = "imported"


class Review(StrEnum):
    """Why a rule should be looked at again."""

    UNVERIFIED = "unverified"
    NEEDS_REVIEW = "needs_review"


class Evidence(Shape):
    """One time the user said it: where, when, in which words.

    Attributes:
        index: Position of the turn in its conversation.
        label: Which label of the turn, from 0.
        reacts_to: For an inferred signal, the assistant message it reacts to.
    """

    turn: TurnId
    index: int = 0
    label: int
    quote: tuple[str, ...] = ()
    said_at: AwareDatetime
    reacts_to: str | None = None
    references: tuple[Reference, ...] = ()

    @property
    def position(self) -> tuple[datetime, int, TurnId, int]:
        """Its place in said order: time, place in the conversation, turn, place in the turn."""
        return (self.said_at, self.index, self.turn, self.label)


class Bound(Shape):
    """What a rule for now ends with."""

    span: Span
    conversation: str | None = None
    task: str | None = None


class Rule(Shape):
    """One standing rule of one subject, or with `bound` a rule for now.

    Attributes:
        recorded_at: When the ledger took the turn; the clock is the caller's.
        ended_by: The turn that ended it; None when a command or nothing did.
        ended_at: When the ledger took what ended it.
        corrected: Whether it was superseded by a correction: it was never meant, and its text
            goes like that of a forgotten rule.
        unsettled: Rules it may contradict or repeat, until the user or a model says.
    """

    id: RuleId
    kind: Kind
    dimension: str
    target: str
    value: str
    polarity: Polarity
    statement: str
    scope: Scope
    condition: Condition | None = None
    exception: Condition | None = None
    until: Until | None = None
    bound: Bound | None = None
    state: State = State.ACTIVE
    provenance: Provenance = Provenance.STATED
    review: Review | None = None
    evidence: tuple[Evidence, ...]
    supersedes: tuple[RuleId, ...] = ()
    superseded_by: RuleId | None = None
    corrected: bool = False
    ended_by: TurnId | None = None
    ended_at: AwareDatetime | None = None
    unsettled: tuple[RuleId, ...] = ()
    recorded_at: AwareDatetime
    labelled_by: LabelledBy | None = None

    @property
    def slot(self) -> str:
        """`dimension/target`: what the rule governs."""
        return f"{self.dimension}/{self.target}"

    @property
    def said_last(self) -> Evidence:
        """The latest time the user said it, in said order."""
        return max(self.evidence, key=lambda each: each.position)

    @property
    def said_at(self) -> datetime:
        """When the user said it last."""
        return self.said_last.said_at

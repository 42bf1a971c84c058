"""What the service takes and gives, where that is not a shape of henceforth itself."""

from typing import Annotated, Any

from pydantic import AwareDatetime, Field

from ...schemas.base import Shape
from ...schemas.context import Context
from ...schemas.ids import QuestionId, RuleId, SubjectId, TurnId
from ...schemas.labels import Intent
from ...schemas.ledger import Relation
from ...schemas.outcome import Labelled, Outcome
from ...schemas.plan import Question
from ...schemas.rule import Rule
from ...schemas.turn import Message, Reference, Turn
from ..chat.chat import ChatMode
from ..core.render import Form
from ..stores.protocol import PendingTurn, Recorded

Speaker = Annotated[str, Field(min_length=1, max_length=512)]
"""A speaker of the tenant that the key belongs to."""


class About(Shape):
    """Anything about one person: `subject` is a speaker of the tenant of the key."""

    subject: Speaker


class Said(Shape):
    """A turn as it is sent: see `Turn`. Without an id it is known by conversation and index."""

    text: str
    id: str | None = Field(default=None, min_length=1)
    index: int = Field(default=0, ge=0)
    said_at: AwareDatetime | None = None
    speaker: str | None = None
    participants: tuple[str, ...] = ()
    before: tuple[Message, ...] = ()
    references: tuple[Reference, ...] = ()

    def turn(self, context: Context, *, now: AwareDatetime) -> Turn:
        """The turn, said now where no time is given."""
        given = self.model_dump(exclude={"id"}, exclude_none=True) | {"context": context}
        if self.id is not None:
            given["id"] = TurnId(self.id)
        return Turn.model_validate({"said_at": now, **given})


class Observe(About):
    """A turn to observe.

    Attributes:
        mode: Whether the answer waits for the labels.
        deadline: Seconds it waits at most; the service has a longest of its own.
        labelled: Labels you bring; then no model is asked.
    """

    turn: Said
    context: Context = Context()
    mode: ChatMode = ChatMode.BLOCKING
    deadline: float | None = Field(default=None, gt=0)
    labelled: Labelled | None = None


class ObserveMany(Shape):
    """Turns to observe; those of one subject in the order given."""

    turns: tuple[Observe, ...]


class Problem(Shape):
    """What went wrong, in the form of RFC 9457.

    Attributes:
        type: Names the kind of problem; stays the same.
        errors: For a request that does not fit, where it does not; never with what was sent.
    """

    type: str
    title: str
    status: int
    detail: str
    errors: tuple[str, ...] = ()


class Observed(Shape):
    """What became of one turn of many: its outcome, or the problem with it."""

    outcome: Outcome | None = None
    problem: Problem | None = None


class ObservedMany(Shape):
    """What became of each turn, in the order given."""

    results: tuple[Observed, ...]


class Moment(About):
    """A moment to ask about: by default now, with nothing known of it."""

    context: Context = Context()
    as_of: AwareDatetime | None = None
    events: tuple[str, ...] = ()


class Render(Moment):
    """How the block is wanted."""

    form: Form = Form.MARKDOWN
    budget: int | None = Field(default=None, ge=1)


class Prepare(About):
    """The messages of a chat model; see `Chat.prepare`."""

    messages: tuple[dict[str, Any], ...]
    context: Context
    mode: ChatMode = ChatMode.BLOCKING
    dropped: int = Field(default=0, ge=0)
    name: str | None = None


class Prepared(Shape):
    """The messages with the rules in force, and what became of the new turns."""

    messages: tuple[dict[str, Any], ...]
    outcomes: tuple[Outcome, ...]


class OneRule(About):
    """One rule by its id."""

    rule: RuleId


class OneTurn(About):
    """One turn by its id; the latest, when not given."""

    turn: TurnId | None = None


class Answer(About):
    """The user's word on a question; see `Session.answer`."""

    question: QuestionId
    rules: tuple[RuleId, ...] = ()
    relation: Relation | None = None
    intent: Intent | None = None


class End(About):
    """A task of a conversation that ends, or the whole conversation."""

    conversation: str
    task: str | None = None


class Event(About):
    """Something that rules wait for came about."""

    event: str = Field(min_length=1)


class Erase(About):
    """A rule to erase, or without one all that is kept of the subject."""

    rule: RuleId | None = None


class Rules(Shape):
    """All rules of a subject, in force or not."""

    rules: tuple[Rule, ...]


class Questions(Shape):
    """The open questions of a subject."""

    questions: tuple[Question, ...]


class Pending(Shape):
    """Turns that wait to be labelled."""

    pending: tuple[PendingTurn, ...]


class Outcomes(Shape):
    """What became of several turns."""

    outcomes: tuple[Outcome, ...]


class Export(Shape):
    """All that is kept of a subject."""

    subject: SubjectId
    version: int
    ledger: tuple[Recorded, ...]
    rules: tuple[Rule, ...]
    questions: tuple[Question, ...]
    pending: tuple[PendingTurn, ...]


class Health(Shape):
    """Whether the process runs, or can serve."""

    status: str

"""What every store promises: one subject at a time, one transaction a write, no lost update."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol, Self

from pydantic import AwareDatetime

from ...schemas.base import Shape
from ...schemas.ids import RuleId, SubjectId, TurnId
from ...schemas.ledger import LedgerEntry, TurnEntry
from ...schemas.plan import Plan, Question
from ...schemas.rule import Rule
from ...schemas.turn import Turn


class Position(Shape):
    """A place in said order: time, place in the conversation, then the turn's id."""

    said_at: AwareDatetime
    index: int
    turn: str

    def __lt__(self, other: Self) -> bool:
        """Whether this was said before the other."""
        return self.key < other.key

    @property
    def key(self) -> tuple[datetime, int, str]:
        """What places are compared by."""
        return (self.said_at, self.index, self.turn)


class Snapshot(Shape):
    """What is kept of one subject at one version; version 0 is a subject nobody has written.

    Attributes:
        rules: All rules, in force or not, in the order they were first written.
        questions: The open questions.
        head: The latest place in said order that the ledger holds.
    """

    version: int = 0
    rules: tuple[Rule, ...] = ()
    questions: tuple[Question, ...] = ()
    head: Position | None = None


class Recorded(Shape):
    """One row of the ledger: the entry, the plan it was given, its number in arrival order."""

    seq: int
    entry: LedgerEntry
    plan: Plan | None = None


class Write(Shape):
    """All that one transaction writes.

    Attributes:
        entries: New ledger rows, each with the plan it was given.
        rules: Rules to add or replace, by id.
        removed: Rules that are no longer in the projection at all.
        questions: The open questions afterwards, all of them.
        head: The latest place in said order afterwards.
        rewritten: Ledger rows whose text is redacted or erased, by number: the one exception
            to append-only.
        labelled: Turns that are no longer pending.
        if_waiting: Write nothing at all when a labelled turn was not pending any more.
    """

    entries: tuple[tuple[LedgerEntry, Plan | None], ...] = ()
    rules: tuple[Rule, ...] = ()
    removed: tuple[RuleId, ...] = ()
    questions: tuple[Question, ...] = ()
    head: Position | None = None
    rewritten: Mapping[int, Recorded] = {}
    labelled: tuple[TurnId, ...] = ()
    if_waiting: bool = False


class PendingTurn(Shape):
    """A turn that could not be labelled yet: its text is kept until it is.

    Attributes:
        reason: Why the last try failed.
        tries: How often it was tried.
        due: When it may be tried next; at once, when not set.
        dead: It was tried too often: nothing tries it again by itself.
    """

    subject: SubjectId
    turn: Turn
    reason: str
    tries: int = 1
    since: AwareDatetime
    due: AwareDatetime | None = None
    dead: bool = False


class Store(Protocol):
    """Keeps ledgers and their projections. Every call is about one subject unless it says so."""

    def read(self, subject: SubjectId) -> Snapshot:
        """The rules and questions of the subject; the empty snapshot for an unknown one."""
        ...

    def ledger(self, subject: SubjectId) -> Sequence[Recorded]:
        """All ledger rows in arrival order."""
        ...

    def seen(self, subject: SubjectId, turn: TurnId) -> TurnEntry | None:
        """The latest entry of the turn id, or None when it was never labelled."""
        ...

    def commit(self, subject: SubjectId, write: Write, *, version: int) -> int:
        """Write all of it, or nothing, and return the new version.

        Raises:
            StaleVersionError: If the subject is no longer at `version`; nothing was written.
            NotWaitingError: If it was to be written only for turns that wait, and one does not.
            StoreUnavailableError: If the database cannot be written; nothing was written.
        """
        ...

    def add_pending(self, pending: PendingTurn) -> None:
        """Keep a turn that could not be labelled; the same turn id replaces its last try."""
        ...

    def put_back(self, pending: PendingTurn) -> bool:
        """Replace the last try of a turn that still waits; False, and nothing written, if not."""
        ...

    def pending(self, subject: SubjectId | None = None) -> Sequence[PendingTurn]:
        """The turns that wait, oldest first; without a subject those of all."""
        ...

    def lease(self, *, now: datetime, until: datetime, limit: int) -> Sequence[PendingTurn]:
        """Take turns of any subject that are due, for one worker alone until the time given.

        A turn that is neither labelled nor put back by then is due again.
        """
        ...

    def subjects(self) -> Sequence[SubjectId]:
        """All subjects with a ledger, sorted."""
        ...

    def erase(self, subject: SubjectId) -> None:
        """Remove every row of the subject, pending turns too. There is no undo."""
        ...

    def close(self) -> None:
        """Give back what the store holds open."""
        ...

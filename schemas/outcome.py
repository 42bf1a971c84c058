"""What became of one observed turn."""

from enum import StrEnum

from .base import Shape
from .ids import TurnId
from .labels import Label, LabelledBy, TurnLabels, Usage
from .plan import Change, Question


class Dropped(Shape):
    """A label the model gave and code did not accept, and why."""

    label: Label
    why: str


class Labelled(Shape):
    """What labelling one turn gave: its labels, who labelled it, what it cost."""

    labels: TurnLabels
    labelled_by: LabelledBy
    usage: Usage = Usage()
    dropped: tuple[Dropped, ...] = ()


class Status(StrEnum):
    """The outcomes of labelling; a turn seen before; an undo; a command of the host."""

    LABELLED = "labelled"
    NONE = "none"
    CLARIFY = "clarify"
    PENDING = "pending"
    SEEN = "seen"
    UNDONE = "undone"
    DONE = "done"


class Outcome(Shape):
    """What one turn, or one command of the host, said and changed.

    Attributes:
        turn: The turn; None for a command.
        labels: What it says; None when it could not be labelled.
        changes: What it changed, each with its row of the reconcile table.
        questions: What only the user can say.
        pending: Why it could not be labelled; the turn is kept and can be retried.
        version: The store version afterwards.
    """

    turn: TurnId | None
    status: Status
    labels: TurnLabels | None = None
    changes: tuple[Change, ...] = ()
    questions: tuple[Question, ...] = ()
    pending: str | None = None
    usage: Usage | None = None
    version: int = 0

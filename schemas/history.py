"""What became of the rules over time: for people who ask why."""

from pydantic import AwareDatetime

from .base import Shape
from .ids import RuleId, TurnId
from .labels import TurnLabels
from .plan import Change
from .rule import Rule


class Happened(Shape):
    """One entry of the ledger that counts, and what it changed, in said order.

    Attributes:
        turn: The turn; None for a command of the host.
        what: `turn`, `command`, `end` or `event`.
        labels: What the turn said.
    """

    turn: TurnId | None = None
    what: str
    said_at: AwareDatetime
    labels: TurnLabels | None = None
    changes: tuple[Change, ...] = ()


class Explanation(Shape):
    """Why a rule is as it is: what brought it, what it replaced, what ended it."""

    rule: Rule
    supersedes: tuple[Rule, ...] = ()
    superseded_by: Rule | None = None
    story: tuple[Happened, ...] = ()


class Difference(Shape):
    """The saved state before and after one turn.

    Attributes:
        before: The rules that stood before the turn and changed, as they were.
        after: The rules the turn wrote, as it left them.
    """

    turn: TurnId
    before: tuple[Rule, ...] = ()
    after: tuple[Rule, ...] = ()
    changes: tuple[Change, ...] = ()


class Erased(Shape):
    """What an erase removed."""

    rule: RuleId | None = None
    ledger_rows: int = 0

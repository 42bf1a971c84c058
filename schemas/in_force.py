"""The answer to "which rules hold now": winners, and what each of the others lost to."""

from enum import StrEnum

from pydantic import AwareDatetime

from .base import Shape
from .context import Context
from .ids import RuleId
from .rule import Rule


class Step(StrEnum):
    """The steps of precedence, the strongest first (`docs/reconcile.md`)."""

    THIS_TASK = "this-task"
    MORE_SCOPE_NAMES = "more-scope-names"
    NARROWER_PLACE = "narrower-place"
    CONDITION_APPLIES = "condition-applies"
    RUNNING_UNTIL = "running-until"
    LATER_SAID = "later-said"


class Overridden(Shape):
    """A rule that applies but loses, what it lost to, and by which step."""

    rule: Rule
    by: RuleId
    step: Step


class InForce(Shape):
    """The rules in force for one context at one time.

    Attributes:
        winners: Rules that hold.
        conditional: Rules whose condition the context cannot decide; given with their words.
        only_for: Rules for a task the host does not name: they hold for that task only and
            override nothing.
        overridden: Rules that apply but lose.
        proposed: Inferred rules that wait for confirmation; not in force.
    """

    context: Context
    as_of: AwareDatetime
    winners: tuple[Rule, ...] = ()
    conditional: tuple[Rule, ...] = ()
    only_for: tuple[Rule, ...] = ()
    overridden: tuple[Overridden, ...] = ()
    proposed: tuple[Rule, ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules to obey, in the order they are delivered."""
        return (*self.winners, *self.conditional, *self.only_for)

"""Carry out a plan on a sequence of rules. Pure: the store writes what comes out."""

from collections.abc import Sequence

from ....schemas.plan import Plan
from ....schemas.rule import Rule


def apply(plan: Plan, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules after the plan: changed ones in their place, new ones at the end."""
    if not plan.changes:
        return tuple(rules)
    after = {rule.id: rule for rule in rules}
    for change in plan.changes:
        after.update({rule.id: rule for rule in change.rules})
    return tuple(after.values())

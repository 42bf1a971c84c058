"""Rules as tables: all of them, or those in force with what they won over."""

from collections.abc import Iterable, Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ....schemas.in_force import InForce, Overridden
from ....schemas.rule import Rule
from .tables import Cell, filled
from .words import STYLES, limits_of_rule, slot_and_value, text, when

_STEPS = {
    "this-task": "this task or conversation comes first",
    "more-scope-names": "more names of place",
    "narrower-place": "a narrower place",
    "condition-applies": "its condition applies",
    "running-until": "it holds for a time",
    "later-said": "said later",
}


def all_rules(rules: Iterable[Rule], *, title: str = "All rules") -> Table:
    """Every rule with its state."""
    rows: list[list[Cell]] = [
        [rule.id, Text(rule.state, STYLES[rule.state]), *_row(rule), text(_fate(rule))]
        for rule in rules
    ]
    columns = ("id", "state", "rule", "in words", "holds", "said", "then")
    return filled(title, columns, rows)


def in_force_view(found: InForce) -> Iterator[RenderableType]:
    """The rules in force, and apart from them what is conditional, proposed, or lost."""
    if found.winners:
        yield _listed("In force", found.winners)
    else:
        yield Text("No rule is in force here.", "dim")
    if found.conditional:
        yield _listed("In force on a condition", found.conditional)
    if found.only_for:
        yield _listed("Only for one task", found.only_for)
    if found.overridden:
        yield _overridden(found.overridden)
    if found.proposed:
        yield _listed("Proposed, not in force", found.proposed)


def _listed(title: str, rules: Iterable[Rule]) -> Table:
    columns = ("id", "rule", "in words", "holds", "said")
    return filled(title, columns, ([rule.id, *_row(rule)] for rule in rules))


def _overridden(lost: Iterable[Overridden]) -> Table:
    rows: Iterator[list[Cell]] = (
        [each.rule.id, text(slot_and_value(each.rule)), each.by, _STEPS[each.step]] for each in lost
    )
    return filled("Overridden here", ("id", "rule", "by", "because"), rows)


def _row(rule: Rule) -> list[Cell]:
    return [
        text(slot_and_value(rule)),
        text(rule.statement),
        text(limits_of_rule(rule)),
        when(rule.said_at),
    ]


def _fate(rule: Rule) -> str:
    """What ended the rule, or what is doubtful about it."""
    if rule.superseded_by:
        return f"replaced by {rule.superseded_by}"
    if rule.ended_by:
        return f"ended by turn {rule.ended_by}"
    unsettled = f"unsettled with {', '.join(rule.unsettled)}" if rule.unsettled else ""
    return unsettled or (rule.review or "")

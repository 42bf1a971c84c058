"""Why a rule is as it is: the rule, who said it when, what it replaced, what ended it."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ....schemas.history import Explanation
from ....schemas.rule import Rule
from .history import story_table
from .rules import all_rules
from .tables import Cell, filled
from .words import STYLES, limits_of_rule, slot_and_value, text, when


def explanation_view(found: Explanation) -> Iterator[RenderableType]:
    """The rule with its evidence and its story."""
    yield _facts(found.rule)
    yield _evidence(found.rule)
    if found.supersedes:
        yield all_rules(found.supersedes, title="It replaced")
    if found.superseded_by is not None:
        yield all_rules([found.superseded_by], title="It was replaced by")
    yield story_table("What touched it", found.story)


def _facts(rule: Rule) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_row(Text("rule", "dim"), text(f"{rule.id}  {slot_and_value(rule)}", "bold"))
    grid.add_row(Text("in words", "dim"), text(rule.statement))
    grid.add_row(Text("holds", "dim"), text(limits_of_rule(rule)))
    state = rule.state if rule.ended_by is None else f"{rule.state} by turn {rule.ended_by}"
    grid.add_row(Text("state", "dim"), text(state, STYLES[rule.state]))
    grid.add_row(Text("kind", "dim"), f"{rule.kind}, {rule.provenance}")
    if rule.review is not None:
        grid.add_row(Text("review", "dim"), rule.review)
    if rule.unsettled:
        grid.add_row(Text("unsettled", "dim"), ", ".join(rule.unsettled))
    if rule.labelled_by is not None:
        by = rule.labelled_by
        grid.add_row(Text("labelled by", "dim"), text(f"{by.model}, prompt {by.prompt}"))
    return grid


def _evidence(rule: Rule) -> Table:
    rows: Iterator[list[Cell]] = (
        [
            when(each.said_at),
            text(each.turn),
            text(" … ".join(f"“{span}”" for span in each.quote), "italic"),
        ]
        for each in rule.evidence
    )
    return filled("Said", ("said", "turn", "quote"), rows)

"""Turns that wait to be labelled, and what became of those tried again."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from ....schemas.outcome import Outcome
from ...stores.protocol import PendingTurn
from .outcome import outcome_view
from .tables import Cell, filled
from .words import text, when


def pending_view(waiting: Sequence[PendingTurn]) -> Iterator[RenderableType]:
    """The turns that wait, the oldest first."""
    if not waiting:
        yield Text("No turn waits.", "dim")
        return
    rows: Iterator[list[Cell]] = (
        [
            text(each.turn.id),
            text(each.subject),
            when(each.since),
            str(each.tries),
            text(each.reason),
        ]
        for each in waiting
    )
    yield filled("Pending", ("turn", "subject", "tried last", "tries", "why"), rows)


def retried_view(outcomes: Sequence[Outcome]) -> Iterator[RenderableType]:
    """What became of each turn."""
    if not outcomes:
        yield Text("No turn waits.", "dim")
    for outcome in outcomes:
        yield from outcome_view(outcome)

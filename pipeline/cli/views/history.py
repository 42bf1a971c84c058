"""The ledger as a table: what was said when, and what it changed."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ....schemas.history import Happened
from ....schemas.labels import Label
from ....schemas.plan import Change
from .outcome import why_none
from .tables import Cell, filled
from .words import slot_and_value, text, when


def history_view(told: Sequence[Happened]) -> Iterator[RenderableType]:
    """All that happened, in said order."""
    if told:
        yield story_table("History", told)
    else:
        yield Text("Nothing was said yet.", "dim")


def story_table(title: str, told: Sequence[Happened]) -> Table:
    """Each entry with its labels and its changes."""
    rows: Iterator[list[Cell]] = (
        [when(each.said_at), text(each.turn or each.what), text(_said(each)), text(_did(each))]
        for each in told
    )
    return filled(title, ("said", "turn", "labels", "changes"), rows)


def _said(happened: Happened) -> str:
    if happened.labels is None:
        return ""
    labels = "; ".join(_label(label) for label in happened.labels.labels)
    return labels or f"none: {why_none(happened.labels)}"


def _label(label: Label) -> str:
    return f"{label.intent} {slot_and_value(label)}"


def _did(happened: Happened) -> str:
    return "; ".join(change_words(each) for each in happened.changes)


def change_words(change: Change) -> str:
    """The row of the reconcile table, and the rules it wrote."""
    written = ", ".join(f"{rule.id} {slot_and_value(rule)} ({rule.state})" for rule in change.rules)
    return f"{change.row}: {written}" if written else change.row

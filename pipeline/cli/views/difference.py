"""The saved state before and after a turn, as two tables."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from ....schemas.history import Difference
from .outcome import changes_table
from .rules import all_rules
from .words import text


def difference_view(found: Difference) -> Iterator[RenderableType]:
    """What stood, what stands, and by which rows of the reconcile table."""
    if not found.after:
        yield text(f"turn {found.turn}: the saved state is the same before and after.", "dim")
        if found.changes:
            yield changes_table(found.changes)
        return
    if found.before:
        yield all_rules(found.before, title="Before")
    else:
        yield Text("Before: none of these rules was there.", "dim")
    yield all_rules(found.after, title="After")
    yield changes_table(found.changes)

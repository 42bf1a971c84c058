"""The one look of all tables."""

from collections.abc import Iterable
from typing import TypeAlias

from rich import box
from rich.table import Table
from rich.text import Text

Cell: TypeAlias = Text | str


def table(title: str, *columns: str) -> Table:
    """An empty table; an id never breaks, other cells wrap."""
    made = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        header_style="dim",
    )
    for column in columns:
        made.add_column(column, no_wrap=column in {"id", "intent", "row", "state"}, overflow="fold")
    return made


def filled(title: str, columns: Iterable[str], rows: Iterable[Iterable[Cell]]) -> Table:
    """A table of these rows."""
    made = table(title, *columns)
    for row in rows:
        made.add_row(*row)
    return made

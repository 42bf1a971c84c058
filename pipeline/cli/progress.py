"""A bar on stderr with an estimate of the time left; nothing where nobody looks."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def progress(what: str, total: int) -> Generator[Callable[[], None]]:
    """Show how far a long run is; call what you get once for each step."""
    if total < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)

"""A bar for a labelling run: turns, tokens, cost so far, and what all of it will cost."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from time import monotonic

from ..batch.labelling import Counts
from ..batch.running import Watcher
from ..batch.spending import Spending

_EVERY = 0.2
"""Seconds between two looks: more often nobody can read, and it costs."""


@contextmanager
def labelling_bar(size: int) -> Generator[Watcher]:
    """What to tell how far a run is; nothing is shown where nobody looks.

    Args:
        size: Bytes to read in all.
    """
    if not sys.stderr.isatty():
        yield lambda counts, spending, done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
    from rich.progress import TimeRemainingColumn as Left

    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"), Left())
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("reading", total=max(size, 1))
        last = 0.0

        def watch(counts: Counts, spending: Spending, done: int) -> None:
            nonlocal last
            if monotonic() - last >= _EVERY:
                last = monotonic()
                text = progress_text(counts, spending, done / max(size, 1))
                bar.update(task, completed=done, description=text)

        yield watch


def progress_text(counts: Counts, spending: Spending, share: float) -> str:
    """`1,200 turns · 34,000 tokens · $0.02 of about $0.40`."""
    parts = [f"{counts.turns:,} turns", f"{spending.tokens:,} tokens"]
    if spending.cost:
        expected = f" of about ${spending.cost / share:,.2f}" if 0 < share < 1 else ""
        parts.append(f"${spending.cost:,.2f}{expected}")
    return " · ".join(parts)

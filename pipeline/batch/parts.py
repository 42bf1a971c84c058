"""Work on parts of a label set, in this process or in several, always in the same order."""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from ...schemas.ids import SubjectId
from .row import ROW, LabelRow

T = TypeVar("T")


def by_subject(part: Path) -> Iterator[tuple[SubjectId, list[LabelRow]]]:
    """The rows of each subject in a part, the subjects sorted."""
    with part.open(encoding="utf-8", newline="\n") as file:
        rows = [ROW.load(line, where=part.name) for line in file]
    rows.sort(key=lambda row: row.subject)
    for subject, own in groupby(rows, key=lambda row: row.subject):
        yield subject, list(own)


def over(parts: list[Path], work: Callable[[Path], T], *, workers: int) -> Iterator[T]:
    """What the work gives for each part, in the order of the parts.

    Args:
        parts: The files.
        work: A function that a new process can import.
        workers: How many processes; 1 is this one.
    """
    if workers == 1:
        yield from map(work, parts)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, parts)

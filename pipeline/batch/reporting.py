"""From label files to the counts of a report."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from .folding import Terms
from .label_files import deal
from .parts import by_subject, over
from .tally import Tally, tally


def report_on(files: Sequence[Path], terms: Terms, *, workers: int = 1) -> Tally:
    """Count what the label files hold, and what their rules went through.

    Raises:
        NoLabelFileError: If one of them is no label file.
    """
    with TemporaryDirectory(prefix="henceforth-") as scratch:
        parts = deal(list(files), Path(scratch))
        counted = Tally()
        for each in over(parts, partial(_tally_part, terms=terms), workers=workers):
            counted += each
    return counted


def _tally_part(part: Path, *, terms: Terms) -> Tally:
    counted = Tally()
    for subject, rows in by_subject(part):
        counted += tally(subject, rows, terms)
    return counted

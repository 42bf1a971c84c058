"""Two reports side by side: which figures moved, which cases changed, and whether it is worse."""

from ...schemas.base import Shape
from .headlines import headlines
from .report import Report

TOLERANCE = 0.005
"""A figure that moves by no more than this has not moved."""


class Moved(Shape):
    """One figure before and after; None where a run does not have it.

    Attributes:
        gain: How much better it is; negative is worse.
        worse: Whether it counts, and moved for the worse or went missing.
    """

    name: str
    before: float | None
    after: float | None
    gain: float | None = None
    worse: bool = False


class Comparison(Shape):
    """What changed from one report to the other.

    Attributes:
        broke: Cases whose state passed before and does not now.
        fixed: Cases whose state passes now and did not before.
        labels_broke: Cases and rows that were labelled exactly right before and are not now.
        worse: Whether the run is worse than the one before.
    """

    before: str
    after: str
    figures: tuple[Moved, ...]
    broke: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    labels_broke: tuple[str, ...] = ()
    labels_fixed: tuple[str, ...] = ()
    worse: bool = False


def compare(before: Report, after: Report, *, tolerance: float = TOLERANCE) -> Comparison:
    """Compare two reports; a figure that only the later one has is shown, not judged."""
    figures = _moved(before, after, tolerance)
    wrong_before, wrong_after = _wrong(before), _wrong(after)
    failed_before, failed_after = _not_passed(before), _not_passed(after)
    return Comparison(
        before=title(before),
        after=title(after),
        figures=figures,
        broke=tuple(sorted(failed_after - failed_before)),
        fixed=tuple(sorted(failed_before - failed_after)),
        labels_broke=tuple(sorted(wrong_after - wrong_before)),
        labels_fixed=tuple(sorted(wrong_before - wrong_after)),
        worse=any(each.worse for each in figures),
    )


def title(report: Report) -> str:
    """A run in one line."""
    about = report.about
    who = " ".join(filter(None, (about.model, about.prompt))) or f"{about.labels} labels"
    return f"{who} ({', '.join(about.suites) or 'nothing'}; {about.split})"


def _moved(before: Report, after: Report, tolerance: float) -> tuple[Moved, ...]:
    old = {each.name: each for each in headlines(before)}
    new = {each.name: each for each in headlines(after)}
    return tuple(
        _one(
            name,
            old[name].estimate.value if name in old else None,
            new[name].estimate.value if name in new else None,
            low_is_good=(old.get(name) or new[name]).low_is_good,
            counts=(old.get(name) or new[name]).counts,
            tolerance=tolerance,
        )
        for name in {**old, **new}
    )


def _one(
    name: str,
    before: float | None,
    after: float | None,
    *,
    low_is_good: bool,
    counts: bool,
    tolerance: float,
) -> Moved:
    if before is None:
        return Moved(name=name, before=before, after=after)
    if after is None:
        return Moved(name=name, before=before, after=after, worse=counts)
    gain = before - after if low_is_good else after - before
    worse = counts and gain < -tolerance
    return Moved(name=name, before=before, after=after, gain=gain, worse=worse)


def _not_passed(report: Report) -> set[str]:
    state = report.state
    return {*state.failed, *state.undecided} if state else set()


def _wrong(report: Report) -> set[str]:
    return {each.id for each in report.failures if not all(turn.right for turn in each.turns)}

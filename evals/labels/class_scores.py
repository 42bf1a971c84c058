"""From pairs of wanted and given classes to a confusion matrix and scores a class."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ...schemas.base import Shape
from ..data.wanted import NOTHING
from ..reports.stats import Estimate, bootstrap, grouped
from .unit_score import Classes

if TYPE_CHECKING:
    from ..reports.stats import Counts


class ClassScore(Shape):
    """How well one class is told: None where nothing is wanted or nothing given."""

    precision: float | None
    recall: float | None
    f1: float | None
    wanted: int
    got: int
    right: int


class ClassScores(Shape):
    """Scores of one field.

    Attributes:
        macro_f1: The mean of the F1 of all classes that are wanted at least once, `none` left out.
        micro_f1: F1 over all labels together.
        confusion: By wanted class, how often each class was given.
    """

    macro_f1: Estimate
    micro_f1: Estimate
    classes: Mapping[str, ClassScore]
    confusion: Mapping[str, Mapping[str, int]]


def class_scores(pairs: Sequence[Sequence[Classes]], groups: Sequence[str]) -> ClassScores:
    """Scores of one field over all turns.

    Args:
        pairs: For each turn its pairs.
        groups: For each turn its conversation.
    """
    flat = [pair for turn in pairs for pair in turn]
    names = sorted({pair.wanted for pair in flat} - {NOTHING})
    macro, micro = _intervals(pairs, groups, names)
    return ClassScores(
        macro_f1=macro,
        micro_f1=micro,
        classes={name: _class_score(flat, name) for name in names},
        confusion=_confusion(flat),
    )


def _class_score(flat: Sequence[Classes], name: str) -> ClassScore:
    right = sum(pair.wanted == name == pair.got for pair in flat)
    wanted = sum(pair.wanted == name for pair in flat)
    got = sum(pair.got == name for pair in flat)
    return ClassScore(
        precision=right / got if got else None,
        recall=right / wanted if wanted else None,
        f1=2 * right / (got + wanted) if got + wanted else None,
        wanted=wanted,
        got=got,
        right=right,
    )


def _confusion(flat: Sequence[Classes]) -> dict[str, dict[str, int]]:
    counted = Counter((pair.wanted, pair.got) for pair in flat)
    rows: dict[str, dict[str, int]] = {}
    for (wanted, got), count in sorted(counted.items()):
        rows.setdefault(wanted, {})[got] = count
    return rows


def _intervals(
    pairs: Sequence[Sequence[Classes]], groups: Sequence[str], names: Sequence[str]
) -> tuple[Estimate, Estimate]:
    if not names:
        return Estimate(), Estimate()
    counts = grouped([_row(turn, names) for turn in pairs], groups)
    total = counts.sum(axis=0, keepdims=True)
    return (
        _estimate(counts, total, _macro),
        _estimate(counts, total, _micro),
    )


def _row(turn: Sequence[Classes], names: Sequence[str]) -> list[float]:
    """For each class: right, wanted, given; then given classes that nobody wants anywhere."""
    row = [
        float(sum(test(pair, name) for pair in turn))
        for name in names
        for test in (_is_right, _is_wanted, _is_got)
    ]
    known = {*names, NOTHING, "not labelled"}
    return [*row, float(sum(pair.got not in known for pair in turn))]


def _is_right(pair: Classes, name: str) -> bool:
    return pair.wanted == name == pair.got


def _is_wanted(pair: Classes, name: str) -> bool:
    return pair.wanted == name


def _is_got(pair: Classes, name: str) -> bool:
    return pair.got == name


def _f1(right: "Counts", both: "Counts") -> "Counts":
    import numpy as np

    return 2 * right / np.maximum(both, 1.0)


def _macro(sums: "Counts") -> "Counts":
    classes = sums[:, :-1].reshape(sums.shape[0], -1, 3)
    f1 = _f1(classes[:, :, 0], classes[:, :, 1] + classes[:, :, 2])
    # A sample may hold no turn of a rare class: its mean is over the classes it holds.
    present = (classes[:, :, 1] > 0).astype(float)
    mean: Counts = (f1 * present).sum(axis=1) / present.sum(axis=1).clip(1)
    return mean


def _micro(sums: "Counts") -> "Counts":
    classes = sums[:, :-1].reshape(sums.shape[0], -1, 3).sum(axis=1)
    return _f1(classes[:, 0], classes[:, 1] + classes[:, 2] + sums[:, -1])


def _estimate(
    counts: "Counts", total: "Counts", statistic: "Callable[[Counts], Counts]"
) -> Estimate:
    low, high = bootstrap(counts, statistic)
    return Estimate(value=float(statistic(total)[0]), low=low, high=high)

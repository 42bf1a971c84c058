"""Counts to scores, and how far a score could be off by chance: a seeded bootstrap."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ...schemas.base import Shape

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Counts: TypeAlias = npt.NDArray[np.float64]

SAMPLES = 1000
SEED = 20260302
"""Fixed, so that the same run always gives the same interval."""


class Estimate(Shape):
    """A score with its 95 % interval; None where there is nothing to count.

    Attributes:
        hits: How many of `of`; 0 of 0 for a mean over classes.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    hits: int = 0
    of: int = 0


def share(flags: Iterable[bool], groups: Sequence[str] | None = None) -> Estimate:
    """The share of true flags.

    Args:
        flags: One a turn.
        groups: The conversation of each: turns of one conversation are drawn together, since
            they are not independent. Without groups there is no interval.
    """
    counted = [bool(flag) for flag in flags]
    if not counted:
        return Estimate()
    hits, of = sum(counted), len(counted)
    plain = Estimate(value=hits / of, hits=hits, of=of)
    if groups is None:
        return plain
    rows = grouped([[float(flag), 1.0] for flag in counted], groups)
    low, high = bootstrap(rows, lambda sums: sums[:, 0] / _at_least_one(sums[:, 1]))
    return plain.model_copy(update={"low": low, "high": high})


def grouped(rows: Sequence[Sequence[float]], groups: Sequence[str]) -> "Counts":
    """The rows of each group added up."""
    import numpy as np

    places = {name: at for at, name in enumerate(dict.fromkeys(groups))}
    sums = np.zeros((len(places), len(rows[0])))
    for row, name in zip(rows, groups, strict=True):
        sums[places[name]] += row
    return sums


def bootstrap(counts: "Counts", statistic: "Callable[[Counts], Counts]") -> tuple[float, float]:
    """The 95 % interval of a statistic of summed counts.

    Args:
        counts: One row a group.
        statistic: From summed rows, one a sample, to one number a sample.
    """
    import numpy as np

    rng = np.random.default_rng(SEED)
    units = counts.shape[0]
    weights = rng.multinomial(units, np.full(units, 1 / units), size=SAMPLES)
    values = statistic(weights.astype(np.float64) @ counts)
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def _at_least_one(sums: "Counts") -> "Counts":
    import numpy as np

    return np.maximum(sums, 1.0)

"""What labelling cost: tokens, money, and time a turn."""

from collections.abc import Iterable, Sequence
from math import ceil

from ...schemas.base import Shape
from ...schemas.labels import Usage


class Cost(Shape):
    """Sums over all turns that were put to a model, and how long one took.

    Attributes:
        turns: Turns that were labelled.
        asked: Turns that a model was asked about; the rest needed none.
        dollars: None where the price of the model is not known.
        p50_ms: Half of the asked turns took at most this long.
        p95_ms: Nineteen of twenty took at most this long.
        replayed: The answers came from recordings: the times say nothing about the model.
    """

    turns: int = 0
    asked: int = 0
    not_labelled: int = 0
    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float | None = None
    p50_ms: int | None = None
    p95_ms: int | None = None
    replayed: bool = False


def cost(usages: Iterable[Usage | None], *, replayed: bool = False) -> Cost:
    """The cost of a run; None stands for a turn that could not be labelled."""
    listed = list(usages)
    known = [usage for usage in listed if usage is not None]
    asked = [usage for usage in known if usage.attempts]
    times = sorted(usage.milliseconds for usage in asked)
    prices = [usage.cost for usage in asked]
    return Cost(
        turns=len(known),
        asked=len(asked),
        not_labelled=len(listed) - len(known),
        requests=sum(usage.attempts for usage in asked),
        tokens_in=sum(usage.tokens_in for usage in asked),
        tokens_out=sum(usage.tokens_out for usage in asked),
        dollars=None if not prices or None in prices else sum(filter(None, prices)),
        p50_ms=quantile(times, 0.5),
        p95_ms=quantile(times, 0.95),
        replayed=replayed,
    )


def quantile(ordered: Sequence[int], part: float) -> int | None:
    """The smallest value that at least this part of the values does not exceed."""
    if not ordered:
        return None
    return ordered[max(0, ceil(len(ordered) * part) - 1)]

"""Intervals: seeded, around their value, and wider for conversations than for loose turns."""

from henceforth.evals.reports.cost import cost, quantile
from henceforth.evals.reports.stats import Estimate, share
from henceforth.schemas.labels import Usage


def test_nothing_to_count_is_no_score() -> None:
    assert share([], []) == Estimate()


def test_the_interval_is_around_the_share_and_the_same_on_every_run() -> None:
    flags = [True] * 30 + [False] * 70

    found = share(flags, [str(at) for at in range(100)])

    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.3 < found.high
    assert found == share(flags, [str(at) for at in range(100)])
    assert 0.15 < found.high - found.low < 0.25


def test_turns_of_one_conversation_are_not_independent() -> None:
    flags = [True] * 30 + [False] * 70

    loose = share(flags, [str(at) for at in range(100)])
    together = share(flags, [str(at // 10) for at in range(100)])

    assert together.high is not None
    assert together.low is not None
    assert loose.high is not None
    assert loose.low is not None
    assert together.high - together.low > loose.high - loose.low


def test_a_share_of_all_has_no_width() -> None:
    found = share([True] * 5, list("abcde"))

    assert (found.low, found.value, found.high) == (1, 1, 1)


def test_quantiles_are_values_that_were_measured() -> None:
    assert quantile([1, 2, 3, 4], 0.5) == 2
    assert quantile(list(range(1, 101)), 0.95) == 95
    assert quantile([7], 0.95) == 7
    assert quantile([], 0.5) is None


def test_cost_adds_up_and_is_unknown_when_one_price_is() -> None:
    one = Usage(tokens_in=10, tokens_out=2, cost=0.01, milliseconds=100, attempts=1)
    free = Usage(tokens_in=5, tokens_out=1, cost=None, milliseconds=300, attempts=2)

    both, alone = cost([one, free, None]), cost([one, Usage()])

    assert (both.tokens_in, both.requests, both.not_labelled, both.dollars) == (15, 3, 1, None)
    assert (alone.asked, alone.dollars, alone.p50_ms) == (1, 0.01, 100)

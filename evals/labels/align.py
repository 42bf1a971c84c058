"""Pairs the labels of an answer with the wanted ones, before anything is scored."""

from collections.abc import Sequence

from ...schemas.base import Shape
from ..data.wanted import Got, Wanted
from .matcher import match
from .verdict import Verdict

_SAME_MEANING, _MAYBE = 3, 1


class Pair(Shape):
    """A wanted label and the answer for it; one of them is missing where there is none."""

    wanted: Wanted | None = None
    got: Got | None = None
    value: Verdict | None = None


def align(
    wanted: Sequence[Wanted], got: Sequence[Got], tolerated: Sequence[Wanted] = ()
) -> tuple[Pair, ...]:
    """The best pairs first, each label once; a wrong answer that is tolerated is left out."""
    pairs = _paired(wanted, got)
    kept = [_without_tolerated(pair, tolerated) for pair in pairs]
    return tuple(pair for pair in kept if pair.wanted or pair.got)


def _paired(wanted: Sequence[Wanted], got: Sequence[Got]) -> list[Pair]:
    ranked = sorted(
        (
            (_likeness(one, other), -i, -j)
            for i, one in enumerate(wanted)
            for j, other in enumerate(got)
        ),
        reverse=True,
    )
    free_wanted, free_got = set(range(len(wanted))), set(range(len(got)))
    pairs: list[Pair] = []
    for likeness, i, j in ranked:
        if -i in free_wanted and -j in free_got and (likeness or len(wanted) == len(got) == 1):
            free_wanted.remove(-i)
            free_got.remove(-j)
            one, other = wanted[-i], got[-j]
            pairs.append(Pair(wanted=one, got=other, value=match(one.meant, other.meant).verdict))
    pairs += [Pair(wanted=wanted[i]) for i in sorted(free_wanted)]
    return pairs + [Pair(got=got[j]) for j in sorted(free_got)]


def _likeness(wanted: Wanted, got: Got) -> int:
    """How likely the answer is meant for the wanted label; 0 is not at all."""
    value = match(wanted.meant, got.meant).verdict
    alike = {Verdict.SAME: _SAME_MEANING, Verdict.UNDECIDED: _MAYBE}.get(value, 0)
    alike += 3 * wanted.dimension.takes(frozenset(got.dimensions))
    alike += 2 * _overlap(wanted.quotes, got.quotes)
    return alike + 4 * wanted.intent.takes(frozenset(got.intents)) if alike else 0


def _overlap(one: Sequence[str], other: Sequence[str]) -> bool:
    return any(a in b or b in a for a in one for b in other)


def _without_tolerated(pair: Pair, tolerated: Sequence[Wanted]) -> Pair:
    if pair.got is None or (pair.wanted and pair.wanted.intent.takes(frozenset(pair.got.intents))):
        return pair
    if any(_tolerates(each, pair.got) for each in tolerated):
        return Pair(wanted=pair.wanted)
    return pair


def _tolerates(tolerated: Wanted, got: Got) -> bool:
    return tolerated.intent.takes(frozenset(got.intents)) and tolerated.dimension.takes(
        frozenset(got.dimensions)
    )

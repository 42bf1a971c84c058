"""Cut a long turn into windows that overlap, so that a model sees all of it. Pure.

Nothing is left out but the inside of long quotations, from which no label can come: the quote
check drops what lies wholly inside of one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from .folded import Place
from .quotation import quoted, said

OVERLAP = 5
"""A window shows the last fifth of the one before again: what is shorter is whole in one."""

_KEPT = 300
"""Characters of a long quotation that stay at each of its ends."""

_BREAKS = ("\n\n", "\n", "\u3002", "\uff01", "\uff1f", ". ", "! ", "? ", "; ", "\uff0c", ", ", " ")
"""Where a window may begin or end, the best place first."""


def windows(text: str, tokens: int) -> list[str]:
    """The text in parts of at most so many tokens, cut where a line or a sentence ends.

    A text that fits comes back whole. Any stretch of up to a fifth of a window stands whole in
    one of the parts, long quotations without their inside. Parts in which nothing is said outside
    of quotation are left out.
    """
    shown = without_quotations(text)
    places = list(_places(shown, tokens * _SCALE))
    if len(places) == 1:
        return [shown]
    quotation = quoted(shown)
    spoken = [place for place in places if said(place, shown, quotation)] or places
    return [shown[place.start : place.end] for place in spoken]


def without_quotations(text: str) -> str:
    """The text with the inside of each long quotation replaced by how much is left out."""
    parts: list[str] = []
    at = 0
    for place in quoted(text):
        start, end = place.start + _KEPT, place.end - _KEPT
        if end - start > _KEPT:
            parts += [text[at:start], f" [… {end - start} …] "]
            at = end
    return "".join([*parts, text[at:]])


_SCALE = 6
"""Weights are counted in sixths of a token, to stay whole numbers."""


def _weight(character: str) -> int:
    """What a character takes at most, as a rule, in the tokenizers of today."""
    if character.isascii():
        return 6 if character.isdigit() else 2 if character.isalpha() or character == " " else 3
    return len(character.encode("utf-8", "replace")) * 2


def estimated_tokens(text: str) -> int:
    """Tokens that a text takes, estimated on the safe side."""
    return -(-sum(map(_weight, text)) // _SCALE)


def _places(text: str, weight: int) -> Iterator[Place]:
    sums = [0, *accumulate(map(_weight, text))]
    start = 0
    while sums[-1] - sums[start] > weight:
        furthest = max(bisect_right(sums, sums[start] + weight) - 1, start + 1)
        end = _break(text, _index(sums, sums[furthest] - weight // OVERLAP), furthest)
        yield Place(start, end)
        latest = _index(sums, sums[end] - weight // OVERLAP)
        earliest = _index(sums, sums[end] - 2 * weight // OVERLAP)
        start = max(_break(text, earliest, latest), start + 1)
    yield Place(start, len(text))


def _index(sums: Sequence[int], weight: int) -> int:
    """The last place up to which the text weighs no more."""
    return max(bisect_left(sums, weight + 1) - 1, 0)


def _break(text: str, earliest: int, latest: int) -> int:
    """The last good place to cut between the two; the latest itself when there is none."""
    for mark in _BREAKS:
        at = text.rfind(mark, earliest, latest)
        if at != -1:
            return at + len(mark)
    return latest

"""Find words of a text again, whatever their case, spacing or Unicode form. Pure."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_SAME = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u2032\u00b4\u0060\uff07", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u05f4\uff02", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)
"""Marks that a model, or a keyboard, writes for one another."""


@dataclass(frozen=True)
class Place:
    """A stretch of a text: from the first character up to, not including, the last."""

    start: int
    end: int

    def inside(self, other: "Place") -> bool:
        """Whether the other covers all of this."""
        return other.start <= self.start and self.end <= other.end

    def overlaps(self, other: "Place") -> bool:
        """Whether the two share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class Folded:
    """A text in one form for comparison, with the way back to the original."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


@lru_cache(maxsize=16)
def fold(text: str) -> Folded:
    """Make one of what differs only in form: case, width, marks that look alike, white space."""
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        part = _folded(text[start:end])
        parts.append(part)
        starts.extend([start] * len(part))
        ends.extend([end] * len(part))
    return Folded("".join(parts), tuple(starts), tuple(ends))


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Each character together with the combining marks on it: they have no order of their own."""
    start = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or not unicodedata.combining(text[index]):
            yield start, index
            start = index


def _folded(cluster: str) -> str:
    if cluster.isascii():
        return "" if cluster.isspace() else cluster.lower().translate(_SAME)
    plain = unicodedata.normalize("NFKD", cluster.translate(_SAME)).casefold()
    return "".join(c for c in unicodedata.normalize("NFKD", plain).translate(_SAME) if _shows(c))


_INVISIBLE = frozenset({"Cf", "Cc", "Cs"})


def _shows(character: str) -> bool:
    form = "\ufe00" <= character <= "\ufe0f"  # which form of an emoji is meant
    unseen = form or unicodedata.category(character) in _INVISIBLE
    return not (unseen or character.isspace())


def find(words: str, text: str) -> Iterator[Place]:
    """Each place in the text where the words stand; none for words that show nothing."""
    wanted, within = fold(words).text, fold(text)
    at = within.text.find(wanted) if wanted else -1
    while at != -1:
        yield Place(within.starts[at], within.ends[at + len(wanted) - 1])
        at = within.text.find(wanted, at + 1)


def contains(text: str, words: str) -> bool:
    """Whether the words stand in the text."""
    return next(find(words, text), None) is not None


def merged(places: Iterator[Place] | list[Place]) -> list[Place]:
    """The same ground in as few places as possible, in order."""
    result: list[Place] = []
    for place in sorted(places, key=lambda each: (each.start, each.end)):
        if result and place.start <= result[-1].end:
            result[-1] = Place(result[-1].start, max(result[-1].end, place.end))
        else:
            result.append(place)
    return result

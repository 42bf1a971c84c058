"""Pair quotation marks, in any language and also where they are written carelessly. Pure."""

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from .folded import Place

_DIRECTED = {
    "“": "”",
    "„": "“”‟",
    "«": "»",
    "»": "«»",
    "\u2039": "\u203a",
    "\u203a": "\u2039\u203a",
    "「": "」",
    "『": "』",
    "｢": "｣",
    "《": "》",
    "〈": "〉",
    "〝": "〞〟",
    "”": "”",
    "\u201a": "\u2018\u2019",
    "\u2018": "\u2019",
}
"""What closes each opening mark. `”` and `»` open in Swedish, Finnish and German books."""

_CLOSE_TOO = frozenset("”»\u203a")
"""Marks that mostly close: they open only where the shape says so."""

_PLAIN = frozenset("\"\u05f4\uff02'")
"""Marks with one form for both ends: their shape says which end it is."""

_APOSTROPHES = frozenset("'\u2018")

_CLIPPED = frozenset({"s", "t", "n", "k", "m", "em", "til", "cause", "bout", "tis", "twas"})
"""Words that begin with an apostrophe, as in `'s avonds` and `'cause`: they open nothing."""


def quotations(text: str, literal: list[Place]) -> Iterator[Place]:
    """What stands in quotation marks, marks included; marks inside `literal` places do not count.

    A mark that nothing closes quotes nothing. Apostrophes pair within a line only.
    """
    marks = _Marks(text, literal)
    at = 0
    for index in marks.all:
        if index < at or not marks.opens(index):
            continue
        end = marks.closed_at(index)
        if end is not None:
            yield Place(index, end + 1)
            at = end + 1


class _Marks:
    """Where the marks of a text are, and which ends they can be."""

    def __init__(self, text: str, literal: list[Place]) -> None:
        self.text = text
        free = _outside(text, literal)
        known = _PLAIN | set(_DIRECTED) | set("".join(_DIRECTED.values()))
        self.all = [index for index in free if text[index] in known]
        self._by_mark: dict[str, list[int]] = {}
        for index in self.all:
            if self._can_close(index):
                self._by_mark.setdefault(text[index], []).append(index)
        self._only_open: dict[str, list[int]] = {}
        for index in self.all:
            if self._can_open(index) and not self._can_close(index):
                self._only_open.setdefault(text[index], []).append(index)

    def _before(self, index: int) -> str:
        return self.text[index - 1] if index else " "

    def _after(self, index: int) -> str:
        return self.text[index + 1] if index + 1 < len(self.text) else " "

    def _can_open(self, index: int) -> bool:
        return not _wordy(self._before(index)) and not self._after(index).isspace()

    def _can_close(self, index: int) -> bool:
        if self.text[index] not in _PLAIN and self.text[index] != "\u2019":
            return True
        return not self._before(index).isspace() and not _wordy(self._after(index))

    def opens(self, index: int) -> bool:
        """Whether a quotation can begin here."""
        mark = self.text[index]
        if mark in _APOSTROPHES and self._clipped(index):
            return False
        if mark in _PLAIN or mark in _CLOSE_TOO:
            return self._can_open(index)
        return mark in _DIRECTED

    def _clipped(self, index: int) -> bool:
        word = self.text[index + 1 : index + 8].split(" ")[0]
        return word.casefold() in _CLIPPED

    def closed_at(self, index: int) -> int | None:
        """Where the quotation that begins here ends; None when it never does."""
        mark = self.text[index]
        closers = mark if mark in _PLAIN else _DIRECTED[mark]
        ends = [end for closer in closers if (end := self._next(self._by_mark.get(closer), index))]
        if not ends:
            return None
        end = min(ends)
        if mark in _APOSTROPHES and "\n" in self.text[index:end]:
            return None
        return None if mark in _PLAIN and self._opened_again(mark, index, end) else end

    def _next(self, places: list[int] | None, index: int) -> int | None:
        places = places or []
        at = bisect_left(places, index + 1)
        return places[at] if at < len(places) else None

    def _opened_again(self, mark: str, index: int, end: int) -> bool:
        """Whether the same mark opens once more before it closes: then the first is a stray."""
        later = self._next(self._only_open.get(mark), index)
        return later is not None and later < end


def _outside(text: str, literal: list[Place]) -> Iterator[int]:
    at = 0
    for place in literal:
        yield from range(at, place.start)
        at = place.end
    yield from range(at, len(text))


@lru_cache(maxsize=4096)
def _wordy(character: str) -> bool:
    """Whether the character is part of a word that a quotation mark would stand apart from.

    In scripts without spaces, and in Korean, marks stand right beside letters.
    """
    code = ord(character)
    unspaced = 0x0E00 <= code <= 0x0EFF or 0x1000 <= code <= 0x109F or 0x1780 <= code <= 0x17FF
    return character.isalnum() and not (unspaced or 0x1100 <= code <= 0x11FF or code >= 0x2E80)

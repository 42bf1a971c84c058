"""Do two descriptions of a rule mean the same? Canonical value first, then words. No model.

What it cannot tell it calls undecided. Its own error rate is measured on the hand-judged pairs
of `suites/matcher_pairs.jsonl`.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import langcodes
from langcodes import Language

from ..pipeline.values import ANY, canonical, lemmas, words
from ..schemas.base import Shape
from ..schemas.dimensions import REPLIES
from ..schemas.labels import Polarity
from .verdict import Verdict

_TONGUE = "language:"

_ENOUGH = 0.6
"""At least this part of the shorter description's words in the other: the same."""

_HARDLY = 0.15
"""At most this part: different."""


@dataclass(frozen=True)
class Meant:
    """One description of a rule.

    Attributes:
        dimensions: The aspects it may count under; empty where nobody said.
        target: The part it governs; None where nobody said.
        value: The canonical value; None where there are only texts.
        texts: The rule in words, in a language that the other side is written in too.
    """

    dimensions: frozenset[str] = frozenset()
    target: str | None = None
    value: str | None = None
    polarity: Polarity | None = None
    texts: tuple[str, ...] = ()


class Match(Shape):
    """The verdict, and the step that gave it."""

    verdict: Verdict
    by: str


def match(one: Meant, other: Meant) -> Match:
    """Whether both describe the same rule."""
    return _by_value(one, other) or _by_words(one, other)


def _by_value(one: Meant, other: Meant) -> Match | None:
    """What dimension, target and canonical value tell; None when they do not tell."""
    if one.value is None or other.value is None or not _may_share_slot(one, other):
        return None
    mine, theirs = _canonical(one), _canonical(other)
    if ANY in (mine, theirs) or (mine == theirs and _same_target(one, other)):
        same = _negative(one) is _negative(other)
        return Match(verdict=Verdict.SAME if same else Verdict.DIFFERENT, by="canonical value")
    if (
        "language" in one.dimensions & other.dimensions
        and _code(mine)
        and _code(theirs)
        and (mine != theirs or not _same_target(one, other))
    ):
        return Match(verdict=Verdict.DIFFERENT, by="code")
    return None


def _may_share_slot(one: Meant, other: Meant) -> bool:
    return not one.dimensions or not other.dimensions or bool(one.dimensions & other.dimensions)


def _same_target(one: Meant, other: Meant) -> bool:
    return (
        one.target is None or other.target is None or _folded(one.target) == _folded(other.target)
    )


def _folded(target: str) -> tuple[str, ...]:
    return tuple(_meaning_of(word) for word in lemmas(target))


def _canonical(meant: Meant) -> str:
    dimension = "language" if "language" in meant.dimensions else "other"
    text = canonical(meant.value or "", dimension)
    if text in {"*", "on", "off"} and meant.target:
        return " ".join(sorted(_folded(meant.target)))
    return " ".join(sorted({_meaning_of(word) for word in text.split() if not _is_negation(word)}))


def _code(text: str) -> bool:
    """Whether the value is a code that is exactly itself: a language tag."""
    return langcodes.tag_is_valid(text) and text.partition("-")[0] in _language_tags()


def _by_words(one: Meant, other: Meant) -> Match:
    mine, theirs = _bag(one), _bag(other)
    if not mine or not theirs:
        return Match(verdict=Verdict.UNDECIDED, by="no words")
    if _numbers(mine) and _numbers(theirs) and _numbers(mine) != _numbers(theirs):
        return Match(verdict=Verdict.DIFFERENT, by="numbers")
    if _tongues(mine) and _tongues(theirs) and _tongues(mine) != _tongues(theirs):
        return Match(verdict=Verdict.DIFFERENT, by="languages")
    return _by_share(len(mine & theirs) / min(len(mine), len(theirs)), one, other)


def _by_share(share: float, one: Meant, other: Meant) -> Match:
    if share <= _HARDLY:
        readable = _is_latin(one) is _is_latin(other)
        return Match(verdict=Verdict.DIFFERENT if readable else Verdict.UNDECIDED, by="words")
    if share < _ENOUGH:
        return Match(verdict=Verdict.UNDECIDED, by="words")
    if _negative(one) is not _negative(other):
        return Match(verdict=Verdict.DIFFERENT, by="negation")
    return Match(verdict=Verdict.SAME, by="words")


def _negative(meant: Meant) -> bool:
    """Whether it forbids: by its polarity, or by a word of its value or text."""
    if meant.polarity is Polarity.AVOID or meant.polarity is Polarity.LIFT:
        return True
    if meant.value is not None:
        return any(_is_negation(word) for word in words(meant.value))
    return any(_is_negation(word) for text in meant.texts for word in words(text))


@lru_cache(maxsize=4096)
def _bag(meant: Meant) -> frozenset[str]:
    """The words that carry meaning, each as the first of its line in the table."""
    texts = [meant.value or "", *meant.texts]
    if meant.target and meant.target != REPLIES:
        texts.append(meant.target)
    found = {_meaning_of(word) for text in texts for word in _tokens(text)}
    if meant.value and "language" in meant.dimensions and _code(meant.value):
        found.discard(meant.value)
        found.add(_TONGUE + meant.value.partition("-")[0])
    return frozenset(found - _empty() - {""})


def _tokens(text: str) -> list[str]:
    plain = re.sub(r"\(?(?:condition|until)[: ].*$", "", text, flags=re.IGNORECASE) or text
    return [word for word in lemmas(plain) if not _is_negation(word)]


def _meaning_of(word: str) -> str:
    plain = word.casefold()
    return _language_names().get(plain) or _equivalents().get(plain) or plain


def _numbers(bag: frozenset[str]) -> set[str]:
    return {word for word in bag if word.isdigit()}


def _tongues(bag: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in bag if word.startswith(_TONGUE))


def _is_latin(meant: Meant) -> bool:
    letters = [each for each in "".join((meant.value or "", *meant.texts)) if each.isalpha()]
    return sum(each < "\u0250" for each in letters) * 2 >= len(letters)


def _is_negation(word: str) -> bool:
    return word in _table()["negations"]


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Any]:
    text = files(__name__.rpartition(".")[0]).joinpath("equivalents.toml").read_text("utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=1)
def _equivalents() -> Mapping[str, str]:
    return {word: line[0] for line in _table()["words"] for word in line}


@lru_cache(maxsize=1)
def _empty() -> frozenset[str]:
    return frozenset(_table()["empty"])


@lru_cache(maxsize=1)
def _language_names() -> Mapping[str, str]:
    return {Language.get(tag).display_name().casefold(): _TONGUE + tag for tag in _language_tags()}


@lru_cache(maxsize=1)
def _language_tags() -> frozenset[str]:
    """The two-letter language tags."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    pairs = (one + two for one in letters for two in letters)
    return frozenset(pair for pair in pairs if langcodes.tag_is_valid(pair))

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

from ...pipeline.core.values import ANY, canonical, lemmas, words
from ...schemas.base import Shape
from ...schemas.dimensions import REPLIES
from ...schemas.labels import Polarity
from .verdict import Verdict

_TONGUE = "language:"
_OFF = frozenset({"off", "none", "disabled"})

_ENOUGH = 0.65
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
    return " ".join(_meaning_of(word) for word in text.split() if not _is_negation(word))


def _code(text: str) -> bool:
    """Whether the value is a code that is exactly itself: a language tag."""
    return langcodes.tag_is_valid(text) and text.partition("-")[0] in _language_tags()


def _by_words(one: Meant, other: Meant) -> Match:
    """What the words tell, those of the targets left out: they say what it is about, not what."""
    topic = _target_words(one) | _target_words(other)
    mine, theirs = _bag(one) - topic, _bag(other) - topic
    if not mine and not theirs:
        return _by_target(one, other)
    if not mine or not theirs:
        return _open("one side is about the target as such")
    if _contradict(mine, theirs):
        mixed = _is_mixed(one) or _is_mixed(other)
        return _open("opposites") if mixed else Match(verdict=Verdict.DIFFERENT, by="opposites")
    if _values_disagree(one, other, topic):
        same_slot = _may_share_slot(one, other) and _same_target(one, other)
        apart = same_slot or not mine & theirs
        return Match(verdict=Verdict.DIFFERENT, by="values") if apart else _open("values")
    if _value_words(one) - topic - _bag(other) and _value_words(other) - topic - _bag(one):
        return _open("each value has a word that the other side lacks")
    return _by_share(len(mine & theirs) / min(len(mine), len(theirs)), one, other)


def _by_target(one: Meant, other: Meant) -> Match:
    """Both speak of their target as such: on or off."""
    mine, theirs = _bag(one) | _target_words(one), _bag(other) | _target_words(other)
    if not mine or not theirs:
        return _open("no words")
    if mine & theirs:
        return _with_negation(one, other, by="target")
    return Match(verdict=Verdict.DIFFERENT, by="target")


def _open(by: str) -> Match:
    return Match(verdict=Verdict.UNDECIDED, by=by)


def _contradict(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether the two name other numbers, other languages, or opposites."""
    for told in (_numbers, _tongues):
        if told(mine) and told(theirs) and told(mine) != told(theirs):
            return True
    return any(
        (a in mine and b in theirs and b not in mine and a not in theirs)
        or (b in mine and a in theirs and a not in mine and b not in theirs)
        for a, b in _opposites()
    )


def _values_disagree(one: Meant, other: Meant, topic: frozenset[str]) -> bool:
    """Whether neither value has a word of the other side."""
    mine, theirs = _value_words(one) - topic, _value_words(other) - topic
    if not mine or not theirs:
        return False
    return not mine & (_bag(other) - topic) and not theirs & (_bag(one) - topic)


def _by_share(share: float, one: Meant, other: Meant) -> Match:
    if share <= _HARDLY:
        readable = _is_latin(one) is _is_latin(other)
        return Match(verdict=Verdict.DIFFERENT, by="words") if readable else _open("scripts")
    return _open("words") if share < _ENOUGH else _with_negation(one, other, by="words")


def _with_negation(one: Meant, other: Meant, *, by: str) -> Match:
    """The same words: the same rule, unless one side forbids what the other asks for."""
    if _negative(one) is _negative(other):
        return Match(verdict=Verdict.SAME, by=by)
    if _is_mixed(one) or _is_mixed(other):
        return _open("negation")
    return Match(verdict=Verdict.DIFFERENT, by="negation")


def _negative(meant: Meant) -> bool:
    """Whether it forbids: by its polarity, or by a negation that its value or text begins with."""
    if meant.polarity is Polarity.AVOID or meant.polarity is Polarity.LIFT:
        return True
    if meant.value is not None and canonical(meant.value, "other") in _OFF:
        return True
    told = (meant.value,) if meant.value is not None else meant.texts
    return any(_is_negation(word) for text in told for word in words(text)[:2])


def _is_mixed(meant: Meant) -> bool:
    """Whether a negation stands further on: "this, never that" asks for one and forbids another."""
    told = (meant.value or "", *meant.texts)
    found = (word for text in told for word in words(text)[2:])
    return any(_is_negation(word) or word == "without" for word in found)


@lru_cache(maxsize=4096)
def _bag(meant: Meant) -> frozenset[str]:
    """The words that carry meaning, each as the first of its line in the table."""
    told = frozenset(word for text in meant.texts for word in _meanings(text))
    return told | _value_words(meant)


@lru_cache(maxsize=4096)
def _value_words(meant: Meant) -> frozenset[str]:
    value = meant.value or ""
    if "language" in meant.dimensions and _code(value):
        return frozenset({_TONGUE + value.partition("-")[0]})
    return _meanings(value)


def _target_words(meant: Meant) -> frozenset[str]:
    return _meanings(meant.target) if meant.target and meant.target != REPLIES else frozenset()


@lru_cache(maxsize=4096)
def _meanings(text: str) -> frozenset[str]:
    """The words of a text in their base form, without conditions and empty words.

    What stands behind a negation further on ("this, never that") is not what is asked for.
    """
    plain = re.sub(r"\(?(?:condition|until)[: ].*$", "", text, flags=re.IGNORECASE) or text
    listed = lemmas(plain)
    negated = [at for at, word in enumerate(listed) if at > 1 and _is_negation(word)]
    kept = listed[: negated[0]] if negated else listed
    lemmatised = (word for word in kept if not _is_negation(word))
    return frozenset({_meaning_of(word) for word in lemmatised} - _empty() - {""})


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
def _opposites() -> frozenset[tuple[str, str]]:
    return frozenset((one, other) for one, other in _table()["opposites"])


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

"""When do two values mean the same? Canonical forms, in any language. Pure: no clock, no store."""

import unicodedata
from functools import lru_cache
from itertools import groupby

import langcodes
import simplemma

from ...schemas.base import Shape
from ...schemas.labels import Polarity

ANY = "any"
"""The value of a forget that names a slot but no value."""

ON = "on"
"""The canonical value of a target as such: tables on, tables off."""

_SIGNS = frozenset("+#%°$€£@&<>=/*~^")
_ON_WORDS = frozenset({(ON,), ("yes",), ("enabled",)})
_OFF_WORDS = frozenset({("off",), ("none",), ("no",), ("disabled",)})
_FLIPPED = {Polarity.DO: Polarity.AVOID, Polarity.AVOID: Polarity.DO, Polarity.LIFT: Polarity.LIFT}


class Meaning(Shape):
    """A value and polarity in canonical form: equal meanings are equal objects."""

    value: str
    polarity: Polarity

    @property
    def opposite(self) -> bool:
        """Whether this forbids or lifts rather than asks for."""
        return self.polarity is not Polarity.DO


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """The words of a text, folded for comparison: `Kurze Tabellen!` gives `kurze`, `tabellen`.

    A sign that means something in a value is a word too: `c++` is not `c`. Marks belong to
    the letter they stand on: in many scripts they are its vowel.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    runs = ((kind, "".join(run)) for kind, run in groupby(folded, _kind))
    return tuple(run for kind, run in runs if kind == "sign" or any(map(str.isalnum, run)))


def _kind(character: str) -> str:
    """Whether a character is part of a word, of a sign, or only separates."""
    category = unicodedata.category(character)
    if character in _SIGNS or category == "So":
        return "sign"
    return "word" if character.isalnum() or category.startswith("M") else "gap"


@lru_cache(maxsize=4096)
def lemmas(text: str) -> tuple[str, ...]:
    """The words in their base form where the library knows one: values are slugs in English."""
    return tuple(simplemma.lemmatize(word, lang="en").casefold() for word in words(text))


@lru_cache(maxsize=4096)
def canonical(value: str, dimension: str) -> str:
    """One spelling for all ways to write a value: `Chinese`, `zh` and `中文` are `zh`."""
    language = _language(value) if dimension == "language" else None
    spelt = words(value) if dimension == "addressing" else lemmas(value)  # names are not inflected
    return language or " ".join(spelt) or unicodedata.normalize("NFKC", value).strip()


def _language(value: str) -> str | None:
    """The BCP 47 tag that a tag or a language's name stands for, in any language."""
    if _is_language_tag(value, "language"):
        return langcodes.standardize_tag(value)
    if words(value) in _ON_WORDS | _OFF_WORDS:
        return None  # the library takes some of them for names of languages
    try:
        return str(langcodes.find(value))
    except LookupError:
        return None


def is_specific(value: str) -> bool:
    """Whether the value says more than any, on or off: whether its words tell rules apart."""
    return words(value) not in _ON_WORDS | _OFF_WORDS | {(ANY,)}


def _is_language_tag(value: str, dimension: str) -> bool:
    return dimension == "language" and langcodes.tag_is_valid(value)


@lru_cache(maxsize=4096)
def meaning(value: str, polarity: Polarity, dimension: str, target: str) -> Meaning:
    """The canonical meaning: `off` on a target, and to avoid that target, are the same.

    In a language slot `no` is Norwegian.
    """
    if not _is_language_tag(value, dimension):
        if words(value) in _OFF_WORDS:
            return Meaning(value=ON, polarity=_FLIPPED[polarity])
        if words(value) in _ON_WORDS or lemmas(value) == lemmas(target):
            return Meaning(value=ON, polarity=polarity)
    return Meaning(value=canonical(value, dimension), polarity=polarity)


@lru_cache(maxsize=4096)
def features(text: str) -> frozenset[str]:
    """What two texts are compared by when candidates are looked for, never to merge them.

    Base forms of words; in scripts without spaces, pairs of neighbouring characters.
    """
    found: set[str] = set()
    for word in words(text):
        if _has_no_spaces(word):
            found.update(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        else:
            found.add(simplemma.lemmatize(word, lang="en").casefold())
    return frozenset(found)


def _has_no_spaces(word: str) -> bool:
    """Whether the word is in a script that is written without spaces between words."""
    return any(
        name.startswith(("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR"))
        for name in (unicodedata.name(character, "") for character in word)
    )

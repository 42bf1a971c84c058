"""Deterministic checks of an answer: language, length, what is in it. No model judges."""

import re
import unicodedata
from collections.abc import Callable

from pydantic import model_validator

from ...schemas.base import Shape
from ..record import detector
from .behaviour import CheckResult


class Checks(Shape):
    """What must be true of an answer; what is not set is not checked.

    Attributes:
        language: The BCP 47 tag that the answer is mostly written in.
        max_words: Words at most; in scripts without spaces two characters count as one word.
        lists: Whether there is a list.
        contains: Texts that must occur, upper and lower case alike.
    """

    language: str | None = None
    max_words: int | None = None
    min_words: int | None = None
    max_lines: int | None = None
    max_sentences: int | None = None
    lists: bool | None = None
    tables: bool | None = None
    headings: bool | None = None
    emoji: bool | None = None
    code_fence: bool | None = None
    contains: tuple[str, ...] = ()
    not_contains: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: object) -> object:
        return {} if value is None else value

    @property
    def any_set(self) -> bool:
        """Whether anything is checked at all."""
        return self != Checks()


def check_answer(answer: str, checks: Checks) -> tuple[CheckResult, ...]:
    """The result of each check that is set."""
    return tuple(
        run(answer, getattr(checks, name))
        for name, run in _CHECKERS.items()
        if getattr(checks, name) not in (None, ())
    )


def _language(answer: str, tag: str) -> CheckResult:
    found = language_of(answer)
    wanted = tag.partition("-")[0]
    return CheckResult(check="language", passed=found == wanted, found=found or "not told")


def language_of(text: str) -> str | None:
    """The two-letter tag of the language that most of the text outside of code is in."""
    from lingua import Language

    prose = re.sub(r"```.*?(```|$)|`[^`]*`", " ", text, flags=re.DOTALL)
    found = detector(*tuple(Language.all())).detect_language_of(prose)
    return found.iso_code_639_1.name.lower() if found else None


def words_of(text: str) -> int:
    """How many words; two characters of a script without spaces count as one."""
    dense = sum(_is_dense(each) for each in text)
    spaced = "".join(" " if _is_dense(each) else each for each in text)
    return len(re.findall(r"\w+", spaced)) + (dense + 1) // 2


def _is_dense(letter: str) -> bool:
    scripts = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "MYANMAR", "KHMER")
    return letter.isalnum() and unicodedata.name(letter, "").startswith(scripts)


def _max_words(answer: str, limit: int) -> CheckResult:
    found = words_of(answer)
    return CheckResult(check="max_words", passed=found <= limit, found=str(found))


def _min_words(answer: str, limit: int) -> CheckResult:
    found = words_of(answer)
    return CheckResult(check="min_words", passed=found >= limit, found=str(found))


def _max_lines(answer: str, limit: int) -> CheckResult:
    found = sum(bool(line.strip()) for line in answer.splitlines())
    return CheckResult(check="max_lines", passed=found <= limit, found=str(found))


_ENDS = re.compile(r"[.!?\u3002\uff01\uff1f\u061f\u0964]+")
"""The marks that end a sentence: Latin, Chinese and Japanese, Arabic, and the danda."""


def _max_sentences(answer: str, limit: int) -> CheckResult:
    found = len([part for part in _ENDS.split(answer) if any(map(str.isalnum, part))])
    return CheckResult(check="max_sentences", passed=found <= limit, found=str(found))


def _pattern(name: str, pattern: str) -> Callable[[str, bool], CheckResult]:
    compiled = re.compile(pattern, re.MULTILINE)

    def run(answer: str, wanted: bool) -> CheckResult:
        found = compiled.search(answer)
        shown = found.group().strip()[:40] if found else "none"
        return CheckResult(check=name, passed=bool(found) is wanted, found=shown)

    return run


def _emoji(answer: str, wanted: bool) -> CheckResult:
    found = [each for each in answer if _is_emoji(each)]
    shown = "".join(found[:5]) or "none"
    return CheckResult(check="emoji", passed=bool(found) is wanted, found=shown)


def _is_emoji(character: str) -> bool:
    """Pictures and dingbats; arrows and mathematical signs are no emoji."""
    code = ord(character)
    return 0x1F300 <= code <= 0x1FAFF or 0x2600 <= code <= 0x27BF or 0x1F1E6 <= code <= 0x1F1FF


def _contains(answer: str, texts: tuple[str, ...]) -> CheckResult:
    missing = [text for text in texts if text.casefold() not in answer.casefold()]
    return CheckResult(check="contains", passed=not missing, found=f"without {missing}")


def _not_contains(answer: str, texts: tuple[str, ...]) -> CheckResult:
    found = [text for text in texts if text.casefold() in answer.casefold()]
    return CheckResult(check="not_contains", passed=not found, found=f"with {found}")


_CHECKERS: dict[str, Callable[..., CheckResult]] = {
    "language": _language,
    "max_words": _max_words,
    "min_words": _min_words,
    "max_lines": _max_lines,
    "max_sentences": _max_sentences,
    "lists": _pattern("lists", r"^\s*(?:[-*•]|\d+[.)])\s+\S.*$"),
    "tables": _pattern("tables", r"^\s*\|.*\|\s*$"),
    "headings": _pattern("headings", r"^#{1,6}\s+\S.*$"),
    "emoji": _emoji,
    "code_fence": _pattern("code_fence", r"^\s*```"),
    "contains": _contains,
    "not_contains": _not_contains,
}

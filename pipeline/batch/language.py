"""In which language a text is written, where a library for it is installed."""

from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from .extras import library

_LONGEST = 500
"""Characters that are looked at: more say nothing more, and cost."""


def language_of(text: str) -> str | None:
    """The ISO 639-1 code of the language, or None where it cannot be told."""
    detector = _detector()
    if detector is None or not any(character.isalpha() for character in text):
        return None
    found = detector.detect_language_of(text[:_LONGEST].encode("utf-8", "replace").decode())
    return None if found is None else str(found.iso_code_639_1.name).lower()


@lru_cache(maxsize=1)
def _detector() -> Any:
    if find_spec("lingua") is None:
        return None
    lingua = library("lingua", file="the language of a turn")
    return lingua.LanguageDetectorBuilder.from_all_languages().with_low_accuracy_mode().build()

"""Find what looks like a credential, so that it is never stored. Pure.

Known forms come from detect-secrets; beside them, what a word such as "password" announces, in
many languages, and keys by their prefix or their randomness. What is found in a turn is cut from
everything that its labels store.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from math import log2
from typing import Any

from . import secret_words as words
from .folded import Place, merged

PLACEHOLDER = "[secret]"

_TOKEN = re.compile(r"[!-~]+")
_QUERY = re.compile(
    r"[?&](?:token|key|secret|sig|signature|password|api_?key|access_?token|auth)=(?P<secret>[^&\s]+)",
    re.IGNORECASE,
)
_USER_IN_URL = re.compile(r"://(?P<secret>[^\s/:@]+:[^\s/@]+)@")
_PRIVATE_KEY = re.compile(
    r"(?P<secret>-{5}BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-{5}"
    r"(?:(?!-{5}END).)*(?:-{5}END [A-Z0-9 ]*-{5})?)",
    re.DOTALL,
)
_END = re.compile(r"[.!?](?=\s|$)|[。\uff01\uff1f\n]")
_ASSIGNED = re.compile(
    r"\s*[:=\uff1a\uff1d]\s*[\"'“«„「]?(?P<secret>[^\s\"'”»“」,;、\uff0c]{4,})[\"'”»“」]?\s*(?:$|[\n,;.、\uff0c。/])"
)

_AFTER, _BEFORE = 120, 40
"""Characters around an announcing word in which its secret stands."""

_NEAR = 6
"""Words between an announcing word and its secret."""


def secrets_in(text: str) -> list[str]:
    """The credentials in the text, the longest first.

    A short plain word that only its neighbour makes a password is not among them: cutting it
    everywhere would cut ordinary words.
    """
    all_found = {text[place.start : place.end] for place in places(text)}
    found = {secret for secret in all_found if len(secret) >= 6 or not secret.isalpha()}
    return sorted(found, key=lambda secret: (-len(secret), secret))


def cut(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without the secrets, and without anything in it that looks like one."""
    for secret in secrets:
        whole = rf"(?<![A-Za-z0-9_]){re.escape(secret)}(?![A-Za-z0-9_])"
        text = re.sub(whole, PLACEHOLDER, text, flags=re.IGNORECASE)
    for place in reversed(places(text)):
        text = text[: place.start] + PLACEHOLDER + text[place.end :]
    return text


@lru_cache(maxsize=16)
def places(text: str) -> list[Place]:
    """Where credentials stand in the text, in order."""
    found = [*_known(text), *_by_form(text), *_announced(text)]
    return [place for place in merged(found) if PLACEHOLDER not in text[place.start : place.end]]


def _known(text: str) -> Iterator[Place]:
    """What detect-secrets knows the form of, each up to the ends of its word."""
    for pattern in _patterns():
        own = "secret" in pattern.groupindex
        for match in pattern.finditer(text):
            start, end = match.span("secret" if own else 0)
            yield from _trimmed(text, start, end if own else _word_end(text, end))


def _word_end(text: str, at: int) -> int:
    rest = re.compile(r"[\w.+/=~-]*", re.ASCII).match(text, at)
    return rest.end() if rest else at


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], ...]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
    from detect_secrets.plugins.base import RegexBasedDetector

    known: dict[str, Any] = get_mapping_from_secret_type_to_class()
    detectors: list[Any] = [each for each in known.values() if issubclass(each, RegexBasedDetector)]
    kept = [each for each in detectors if each.secret_type not in _LEFT_OUT]
    theirs: list[re.Pattern[str]] = [pattern for each in kept for pattern in each.denylist]
    return (_PRIVATE_KEY, _USER_IN_URL, _QUERY, *theirs)


_LEFT_OUT = frozenset({"Public IP (ipv4)", "Private Key", "Basic Auth Credentials"})
"""No credential; and two whose own pattern here takes the whole secret."""


def _by_form(text: str) -> Iterator[Place]:
    """Keys by their prefix, and long random words."""
    for match in _TOKEN.finditer(text):
        for place in _trimmed(text, *match.span()):
            token = text[place.start : place.end]
            if _prefixed(token) or _random(token):
                yield place


def _trimmed(text: str, start: int, end: int) -> Iterator[Place]:
    """The place without the punctuation around it."""
    while start < end and text[start] in "\"'`([{<,;:.!?*":
        start += 1
    while start < end and text[end - 1] in "\"'`)]}>,;:.!?*":
        end -= 1
    if start < end:
        yield Place(start, end)


def _prefixed(token: str) -> bool:
    prefix, mark, rest = re.match(r"([A-Za-z]*)([-_.:]?)(.*)", token, re.DOTALL).groups("")  # type: ignore[union-attr]  # it always matches
    if not mark or len(rest) < 6:
        return False
    parts = re.split(r"[-_.:]", rest)
    if prefix.lower() in words.STRONG_PREFIXES:
        return _digits(rest) >= 3 or any(map(_mixed, parts))
    return prefix.lower() in words.WEAK_PREFIXES and any(map(_mixed, parts))


def _mixed(part: str) -> bool:
    """Whether letters and digits alternate as they do in no word, date or version."""
    return len(part) >= 8 and _changes(part) >= 3


def _random(token: str) -> bool:
    """Whether the token is long, of all kinds of characters, and without any order."""
    if len(token) < 24 or not re.fullmatch(r"[\w+/=-]+", token, re.ASCII) or token.count("/") > 2:
        return False
    kinds = (str.isupper, str.islower, str.isdigit)
    varied = all(any(kind(character) for character in token) for kind in kinds)
    return varied and _changes(token) >= 6 and _entropy(token) >= 3.8


def _digits(text: str) -> int:
    return sum(character.isdigit() for character in text)


def _changes(text: str) -> int:
    """How often the text goes from letters to digits or back."""
    kinds = [character.isdigit() for character in text if character.isalnum()]
    return sum(one is not other for one, other in pairwise(kinds))


def _entropy(text: str) -> float:
    shares = [text.count(character) / len(text) for character in set(text)]
    return -sum(share * log2(share) for share in shares)


def _announced(text: str) -> Iterator[Place]:
    """What stands beside a word such as `password` and has the look of one."""
    for word in _announcing().finditer(text):
        if given := _ASSIGNED.match(text, word.end()):
            yield Place(*given.span("secret"))
        digits = word["number"] is not None
        end = min(_first(_END, text, word.end()), word.end() + _AFTER)
        yield from _looking(text, list(_tokens(text, word.end(), end))[:_NEAR], digits=digits)
        start = _line_start(text, word.start())
        yield from _looking(text, list(_tokens(text, start, word.start()))[-3:], digits=digits)


_announcing = lru_cache(maxsize=1)(words.announcing)


def _line_start(text: str, at: int) -> int:
    start = max(at - _BEFORE, 0)
    return max(start, text.rfind("\n", start, at) + 1)


def _first(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.search(text, start, start + _AFTER)
    return match.start() if match else len(text)


def _tokens(text: str, start: int, end: int) -> Iterator[Place]:
    for match in re.finditer(r"[^\s,;、\uff0c/]+", text[start:end]):
        yield from _trimmed(text, start + match.start(), start + match.end())


def _looking(text: str, tokens: list[Place], *, digits: bool) -> Iterator[Place]:
    before = ""
    for place in tokens:
        token = text[place.start : place.end]
        for part in _TOKEN.finditer(token):
            if _like_password(part[0], before, digits=digits):
                yield from _trimmed(text, place.start + part.start(), place.start + part.end())
        before = token


def _like_password(token: str, before: str, *, digits: bool) -> bool:
    if digits and re.fullmatch(r"\d{4,8}", token):
        return True
    if len(token) < 6 or token[0] in "-$<{@#" or words.TECHNICAL.fullmatch(token):
        return False
    if re.fullmatch(r"[0-9a-f]{7,64}", token) and words.COMMIT.fullmatch(before):
        return False
    kinds = any(map(str.isdigit, token)) and any(map(str.isalpha, token))
    marked = re.search(r"\w[!@#$%^&*]+\w", token) is not None
    return (kinds or marked) and not _ORDINARY.fullmatch(token)


_ORDINARY = re.compile(r"v?\d+([.-]\d+)*\w{0,3}|.*\.[a-z]{1,5}|.*://.*|\S+@\S+\.\S+", re.IGNORECASE)
"""A version, a measure, a file, an address."""

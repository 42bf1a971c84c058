"""Find what in a text is quoted, pasted or machine-made rather than said. By form, not by words.

Quotation marks of any language, `>` lines, code, addresses, XML-like blocks, and the block of
rules that henceforth itself renders. Pure; linear in the length of the text.
"""

import json
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

from ..core.render import TAG
from .folded import Place, merged
from .quotation_marks import quotations

_FENCE = re.compile(r"^ {0,3}(?P<marks>`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_QUOTED_LINE = re.compile(r"^[ \t]{0,3}>[^\n]*$", re.MULTILINE)
_OPENING = re.compile(r"<(?P<name>[^\W\d][\w.:-]*)(?:\s[^<>]*)?(?<!/)>")
_CLOSING = re.compile(r"</(?P<name>[^\W\d][\w.:-]*)\s*>")
_ADDRESS = re.compile(
    r"(?<![a-z0-9])(?:[a-z][a-z0-9+.-]{0,30}://|www\.)(?:(?![<>\"'`)\]}])[!-~])+", re.IGNORECASE
)
_CODE = re.compile(
    r"(?<!`)(?P<marks>`{1,2})(?!`)(?:(?!\n\s*\n).)+?(?<!`)(?P=marks)(?!`)", re.DOTALL
)
_RULES_TAG = re.compile(rf"<\s*{TAG}\b", re.IGNORECASE)
_RULES_JSON = re.compile(rf'\{{\s*"{TAG}"\s*:', re.IGNORECASE)


def quoted(text: str) -> list[Place]:
    """The places of the text that are quotation, in order, without overlaps."""
    inline = [Place(*found.span()) for rule in (_ADDRESS, _CODE) for found in rule.finditer(text)]
    literal = merged([*_fences(text), *_quoted_lines(text), *blocks(text), *inline])
    return merged([*literal, *quotations(text, literal)])


def blocks(text: str) -> list[Place]:
    """The XML-like blocks of the text, and the rules that henceforth renders in any form."""
    return merged([*_blocks(text), *_own_rules(text)])


def said(place: Place, text: str, quotation: list[Place]) -> bool:
    """Whether a letter or digit of the place stands outside of all quotation."""
    at = place.start
    for each in quotation:
        if each.end <= at or each.start >= place.end:
            continue
        if _shows(text[at : each.start]):
            return True
        at = max(at, each.end)
    return _shows(text[at : place.end])


def _shows(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _fences(text: str) -> Iterator[Place]:
    """Fenced code, up to its closing fence or the end, as in CommonMark."""
    opened: re.Match[str] | None = None
    for found in _FENCE.finditer(text):
        if opened is None:
            opened = found
        elif _closes(found, opened):
            yield Place(opened.start(), found.end())
            opened = None
    if opened is not None:
        yield Place(opened.start(), len(text))


def _closes(found: re.Match[str], opened: re.Match[str]) -> bool:
    bare = found[0].strip() == found["marks"]
    return bare and found["marks"].startswith(opened["marks"])


def _quoted_lines(text: str) -> Iterator[Place]:
    return (Place(*found.span()) for found in _QUOTED_LINE.finditer(text))


def _blocks(text: str) -> Iterator[Place]:
    """What stands between `<name>` and the next `</name>`."""
    closings: dict[str, list[int]] = defaultdict(list)
    for found in _CLOSING.finditer(text):
        closings[found["name"].casefold()].append(found.end())
    end = 0
    for found in _OPENING.finditer(text):
        ends = closings.get(found["name"].casefold(), [])
        after = bisect_right(ends, found.end())
        if found.start() >= end and after < len(ends):
            end = ends[after]
            yield Place(found.start(), end)


def _own_rules(text: str) -> Iterator[Place]:
    """The block that henceforth renders, where it came back as JSON or lost its end."""
    end = 0
    for found in _RULES_JSON.finditer(text):
        if found.start() >= end:
            end = _json_end(text, found.start())
            yield Place(found.start(), end)
    for found in _RULES_TAG.finditer(text):
        if text.find("</", found.end()) == -1:
            yield Place(found.start(), len(text))
            return


def _json_end(text: str, start: int) -> int:
    try:
        return json.JSONDecoder().raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return len(text)

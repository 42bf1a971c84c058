"""Text that others wrote, made safe to show: no control character reaches a terminal."""

import json
import re
from collections.abc import Mapping
from typing import Any

_HIDDEN = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control and direction characters that JSON may hold as they are, and a terminal obeys."""


def printable(text: str) -> str:
    """The text with every character that does not print, line ends aside, as its code."""
    return "".join(
        each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode()
        for each in text
    )


def as_json(record: Mapping[str, Any], *, indent: int | None = 1) -> str:
    """The record as JSON that is safe in a terminal and means the same."""
    text = json.dumps(record, ensure_ascii=False, indent=indent)
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)

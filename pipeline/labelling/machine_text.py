"""Recognise a turn in which the user says nothing themselves. By form, not by words. Pure."""

import json
import re

from ...schemas.labels import NoneReason
from .folded import Place
from .quotation import blocks, quoted, said

_PROTOCOL = re.compile(
    r"\s*\[?(?:tool|function|system|subagent|hook)[\s_:-]*(?:call|result|response|output|reminder)?s?"
    r"(?:[\s:-][^\]\n]{0,80})?\](?!\()|\s*(?:tool|function)[\s_-](?:result|response|output)s?\s*:",
    re.IGNORECASE,
)
"""How agents mark what a tool gave: names of their protocols, which no language translates."""


def unsaid(text: str) -> NoneReason | None:
    """Why no instruction can be in the text, when none of it is the user's own words.

    No label could pass the quote check: everything stands in a quotation, a block, or code. A
    text that is one JSON value, or that a tool's mark opens, is a machine's.
    """
    if not any(character.isalnum() for character in text):
        return None
    if _is_json(text) or _PROTOCOL.match(text):
        return NoneReason.MACHINE_TEXT
    whole = Place(0, len(text))
    if said(whole, text, quoted(text)):
        return None
    outside = said(whole, text, blocks(text))
    return NoneReason.QUOTED_TEXT if outside else NoneReason.MACHINE_TEXT


def _is_json(text: str) -> bool:
    """Whether the text is a JSON object or list; a bare word or number is not meant."""
    if not text.lstrip().startswith(("{", "[")):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True

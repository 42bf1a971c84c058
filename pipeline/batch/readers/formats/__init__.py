"""One module a format: whether a record is of it, and how its records become turns."""

from collections.abc import Mapping

from . import (
    chatgpt,
    claude_code,
    codex,
    henceforth,
    langfuse,
    litellm_log,
    openai_messages,
    sharegpt,
    table,
    wildchat,
)
from .base import Format

FORMATS: Mapping[str, Format] = {
    each.name: each
    for each in (
        chatgpt.FORMAT,
        claude_code.FORMAT,
        codex.FORMAT,
        wildchat.FORMAT,
        sharegpt.FORMAT,
        langfuse.FORMAT,
        litellm_log.FORMAT,
        henceforth.FORMAT,
        openai_messages.FORMAT,
        table.FORMAT,
    )
}
"""By name, the most telling first: a file has the first format that knows one of its records."""

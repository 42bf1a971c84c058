"""Where output goes: one JSON document or tables on stdout, remarks on stderr."""

import os
import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console, RenderableType
from rich.table import Table

from ...schemas.versions import stamped
from .plain import as_json, printable

_WIDTH_WHEN_PIPED = 160
"""Wide enough for most tables: what is piped is searched rather than looked at."""


def print_json(record: Mapping[str, Any]) -> None:
    """Write the one JSON document of a command."""
    print(as_json(stamped(record)))


def show(*parts: RenderableType) -> None:
    """Write tables and text for a person; without colours where nobody sees them."""
    to = _console()
    for number, part in enumerate(parts):
        if number and isinstance(part, Table):
            to.print()
        to.print(part)


def remark(text: str) -> None:
    """Say on stderr what is no part of the answer."""
    print(f"henceforth: {printable(text)}", file=sys.stderr)


def _console() -> Console:
    is_seen = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(
        file=sys.stdout,
        width=None if is_seen else _WIDTH_WHEN_PIPED,
        markup=False,
        emoji=False,
        highlight=False,
    )

"""The text of a turn: from the command line, a file, or stdin."""

import sys
from pathlib import Path

import click

from .exits import GivenError


def text_given(text: str | None, file: Path | None) -> str:
    """The text; the last line end of a file is not part of it.

    Raises:
        click.UsageError: If there is no text, or two of them.
        GivenError: If it is empty, cannot be read, or is no Unicode text.
    """
    if text is not None and file is not None:
        raise click.UsageError("TEXT and a file exclude each other.")
    if text is not None:
        said = _unicode(text.encode("utf-8", "surrogateescape"), "TEXT")
    else:
        said = _from(file).removesuffix("\n").removesuffix("\r")
    if not said.strip():
        raise GivenError("the turn is empty: there is nothing to label.")
    return said


def _from(file: Path | None) -> str:
    if file is not None and str(file) != "-":
        return _unicode(_bytes(file), str(file))
    if sys.stdin.isatty():
        raise click.UsageError("no text: give TEXT, a file, or pipe it in.")
    return _unicode(sys.stdin.buffer.read(), "stdin")


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise GivenError(f"{str(file)!r} cannot be read: {error.strerror}.") from error


def _unicode(raw: bytes, origin: str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GivenError(
            f"{origin} is not UTF-8: byte {error.start} is {raw[error.start]:#04x}."
        ) from error

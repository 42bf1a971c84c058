"""Runs the command line and turns every way it can end into an exit code and one message."""

import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, cast

import click

from .exits import Exit, OutputClosedError

if TYPE_CHECKING:
    from ..intake import Labeller

DEBUG = "HENCEFORTH_DEBUG"
"""Set, the variable lets the traceback of a bug through."""


def run(app: click.Command, argv: Sequence[str] | None, labeller: "Labeller | None") -> int:
    """Run the app; what goes wrong is told on stderr in one message. No argument asks for help."""
    _write_any_text()
    given = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    try:
        code = app.main(given, prog_name="henceforth", standalone_mode=False, obj=labeller)
        sys.stdout.flush()
    except BaseException as error:
        return _ended(error)
    return int(cast("int | None", code) or Exit.OK)


def _write_any_text() -> None:
    """Let a terminal that cannot show a character show its code, rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _ended(error: BaseException) -> int:
    match _single(error):
        case SystemExit() as left:
            return left.code if isinstance(left.code, int) else Exit.OK
        case OutputClosedError() | BrokenPipeError():
            _write_no_more()
            return Exit.CLOSED
        case click.Abort() | KeyboardInterrupt():
            echoed = "\n" if sys.stderr.isatty() else ""  # the terminal has written ^C
            return _told("interrupted.", Exit.INTERRUPTED, before=echoed)
        case click.UsageError() as wrong:
            return _told(_with_usage(wrong), Exit.USAGE)
        case click.ClickException() as wrong:
            return _told(wrong.format_message(), Exit.USAGE)
        case Exception() as raised:
            return _raised(raised)
        case other:
            raise other


def _raised(error: Exception) -> int:
    """A fault that henceforth names, one of the system, or else a bug."""
    from ..errors import FailureError, UsageError

    if isinstance(error, UsageError):
        return _told(str(error), Exit.USAGE)
    if isinstance(error, FailureError):
        return _told(str(error), Exit.FAILED)
    if isinstance(error, OSError):
        return _told(f"{error.filename or 'output'}: {error.strerror or error}.", Exit.FAILED)
    if os.environ.get(DEBUG):
        raise error
    where = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return _told(f"a bug in henceforth, please report it: {where} ({DEBUG}=1 says more)", Exit.BUG)


def _single(error: BaseException) -> BaseException:
    """The one error that task groups have wrapped."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    wrapped = cast("BaseExceptionGroup[BaseException]", error)
    return _single(wrapped.exceptions[0])


def _with_usage(error: click.UsageError) -> str:
    if error.ctx is None:
        return error.format_message()
    return f"{error.format_message()}\nTry '{error.ctx.command_path} --help'."


def _told(message: str, code: Exit, *, before: str = "") -> int:
    from .plain import printable

    with suppress(OSError, ValueError):
        sys.stderr.write(f"{before}henceforth: {printable(message)}\n")
        sys.stderr.flush()
    return code


def _write_no_more() -> None:
    """Keep the interpreter from complaining when it flushes what nobody reads."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

"""The exit codes of all commands, and which error has which. No output here."""

from enum import IntEnum

import click


class Exit(IntEnum):
    """What a shell learns of a run; listed in docs/cli.md.

    Attributes:
        OK: All was done.
        PARTLY: It ran to its end, and something was rejected, is pending, or differs.
        USAGE: The command line, a setting, an id or a file given is wrong: nothing was done.
        FAILED: The model, the store or the disk failed: what was done before stands.
        BUG: henceforth itself is at fault.
        INTERRUPTED: Ctrl-C.
        CLOSED: Whoever read the output stopped reading.
    """

    OK = 0
    PARTLY = 1
    USAGE = 2
    FAILED = 3
    BUG = 70
    INTERRUPTED = 130
    CLOSED = 141


class GivenError(click.ClickException):
    """What was given is well-formed and does not fit: the message says all, no usage helps."""

    exit_code = Exit.USAGE


class OutputClosedError(Exception):
    """Whoever read stdout has closed it, as `head` does."""

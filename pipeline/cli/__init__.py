"""The command line: `henceforth` and `python -m henceforth`. Starts light, imports late."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..intake import Labeller

__all__ = ["main"]


def main(argv: Sequence[str] | None = None, *, labeller: "Labeller | None" = None) -> int:
    """Run one command and return its exit code; docs/cli.md lists commands and codes.

    Args:
        argv: The arguments; those of the process when not given.
        labeller: What labels turns; the model of the settings when not given.
    """
    from .app import app
    from .running import run

    return run(app, argv, labeller)

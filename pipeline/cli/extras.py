"""Commands that need an extra say which one is missing."""

from collections.abc import Generator
from contextlib import contextmanager

import click


@contextmanager
def extra(name: str) -> Generator[None, None, None]:
    """Import what an extra brings; where it is not installed, say how it is had."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("henceforth"):
            raise
        raise click.UsageError(
            f"this needs {error.name}: pip install 'henceforth[{name}]'."
        ) from error

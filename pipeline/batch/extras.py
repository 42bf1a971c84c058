"""Libraries that come with an extra: imported when they are needed, and missed by name."""

from importlib import import_module
from typing import Any

from .errors import MissingExtraError


def library(module: str, *, file: str) -> Any:
    """The module.

    Raises:
        MissingExtraError: If it is not installed; `file` is what cannot be done without it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(file=file, library=module.partition(".")[0]) from error

"""The one place that imports litellm and instructor: late, offline, and quiet."""

import logging
import os
from collections.abc import Awaitable, Callable
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from instructor import AsyncInstructor

_VARIABLES = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # or the import fetches prices from the network
    "LITELLM_LOG": "ERROR",  # or it warns on stderr of what callers cannot change
    "PYDANTIC_ERRORS_INCLUDE_URL": "0",  # or each re-ask carries the address of a pydantic minor
}


@lru_cache(maxsize=1)
def litellm() -> Any:
    """The litellm module: seconds and 200 MB the first time, so only where a model is called."""
    for name, value in _VARIABLES.items():
        os.environ.setdefault(name, value)
    module: Any = import_module("litellm")
    module.suppress_debug_info = True  # it prints advertisements to stdout when a call fails
    return module


def instructor_client(complete: Callable[..., Awaitable[Any]]) -> "AsyncInstructor":
    """An instructor client over a completion function, with schema-constrained answers."""
    litellm()
    import instructor

    # Without a handler, Python prints each failed attempt to stderr, though all are handled here.
    logging.getLogger("instructor").addHandler(_SILENT)
    return instructor.from_litellm(complete, mode=instructor.Mode.JSON_SCHEMA, async_client=True)


_SILENT = logging.NullHandler()

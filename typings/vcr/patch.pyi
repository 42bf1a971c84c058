"""What henceforth uses of `vcr.patch`."""

from collections.abc import Iterator
from contextlib import AbstractContextManager

class CassettePatcherBuilder:
    """Patches the HTTP clients of the process."""

    def __init__(self, cassette: object) -> None: ...
    def build(self) -> Iterator[AbstractContextManager[object]]: ...

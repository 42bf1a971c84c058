"""What henceforth uses of `vcr.request`."""

from collections.abc import Mapping

class Request:
    """A request as vcrpy keeps it."""

    method: str
    uri: str
    body: bytes | None
    headers: Mapping[str, object]
    def __init__(
        self, method: str, uri: str, body: bytes | None, headers: Mapping[str, object]
    ) -> None: ...
    @property
    def path(self) -> str: ...

"""What henceforth uses of `vcr.cassette`."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from .record_mode import RecordMode
from .request import Request

class Cassette:
    """The recorded requests and responses of one file."""

    path: str
    requests: list[Request]
    play_count: int
    play_counts: Counter[int]
    @classmethod
    def load(
        cls,
        *,
        path: str,
        serializer: object,
        persister: object,
        record_mode: RecordMode,
        match_on: tuple[Callable[[Request, Request], None], ...],
        before_record_request: Callable[[Request], Request | None],
        before_record_response: Callable[[dict[str, Any]], dict[str, Any]],
    ) -> Cassette: ...
    def _save(self, force: bool = False) -> None: ...
    def __len__(self) -> int: ...

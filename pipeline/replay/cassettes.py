"""The cassettes behind `recording`: one a conversation, matched on method, path and JSON body."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from vcr.cassette import Cassette
from vcr.errors import CannotOverwriteExistingCassetteException as VcrMiss
from vcr.filters import decode_response
from vcr.patch import CassettePatcherBuilder
from vcr.record_mode import RecordMode
from vcr.request import Request

from ..errors import CassetteMissError
from ..labelling.error_chain import chain
from . import cassette_file
from .cassette_difference import difference
from .json_tree import Json, parsed
from .scrubbing import (
    is_for_a_model,
    scrubbed_body,
    scrubbed_failure,
    scrubbed_headers,
    scrubbed_uri,
)


class Tapes:
    """Stands in for one cassette and hands each request to that of its conversation.

    vcrpy patches the HTTP clients of the whole process, so conversations that run at the same
    time share one patch; which cassette is meant follows from the context of the task.
    """

    skip_patchers = ()
    custom_patches = ()

    def __init__(self, folder: Path, *, replay: bool, name: Callable[[], str]) -> None:
        self._folder, self._name = folder, name
        self._replay = replay
        self._tapes: dict[str, Cassette] = {}

    def __getattr__(self, attribute: str) -> Any:
        """All that vcrpy asks of a cassette, answered by the one of this conversation."""
        return getattr(self._current(), attribute)

    def __len__(self) -> int:
        """How many requests the cassette of this conversation holds."""
        return len(self._current())

    def _current(self) -> Cassette:
        name = self._name()
        if name not in self._tapes:
            self._tapes[name] = Cassette.load(
                path=str(self._folder / f"{name}.yaml"),
                serializer=cassette_file,
                persister=cassette_file,
                record_mode=RecordMode.NONE if self._replay else RecordMode.ALL,
                match_on=(same_request,),
                before_record_request=_scrubbed if self._replay else _recorded,
                before_record_response=_kept,
            )
        return self._tapes[name]

    def patch(self, undo: ExitStack) -> None:
        """Put the tapes between every HTTP client and the network."""
        for patcher in CassettePatcherBuilder(self).build():
            undo.enter_context(patcher)

    def save(self) -> None:
        """Write each file that has something new."""
        for tape in self._tapes.values():
            tape._save()

    def unplayed(self) -> Mapping[str, int]:
        """By file, how many of its requests were not asked for."""
        counts = {name: len(tape) - tape.play_count for name, tape in self._tapes.items()}
        return {f"{name}.yaml": count for name, count in counts.items() if count > 0}


def same_request(one: Request, other: Request) -> None:
    """Raise AssertionError unless method, path and JSON body agree; the host does not count."""
    assert (one.method, one.path) == (other.method, other.path)
    assert one.body == other.body or _tree(one.body) == _tree(other.body)


def _tree(body: bytes | None) -> Json:
    try:
        return parsed(body)
    except ValueError:
        return (body or b"").decode("utf-8", "replace")


def _scrubbed(request: Request) -> Request:
    return Request(
        request.method,
        scrubbed_uri(request.uri),
        scrubbed_body(request.body),
        scrubbed_headers(request.headers),
    )


def _recorded(request: Request) -> Request | None:
    """The request as it is kept; None for one that is not for a model."""
    return _scrubbed(request) if is_for_a_model(request.body) else None


def _kept(response: dict[str, Any]) -> dict[str, Any]:
    plain = decode_response(response)
    body: bytes = plain["body"].get("string") or b""
    failed = plain["status"]["code"] >= 400
    return {
        **plain,
        "headers": scrubbed_headers(plain["headers"]),
        "body": {"string": scrubbed_failure(body) if failed else body},
    }


def explained_miss(error: BaseException) -> CassetteMissError | None:
    """The miss that a client took for a lost connection, with the part that differs."""
    for each in chain(error):
        if isinstance(each, CassetteMissError):
            return each
        if isinstance(each, VcrMiss):
            cassette, wanted = each.cassette, _scrubbed(each.failed_request)
            recorded = [(kept, cassette.play_counts[n]) for n, kept in enumerate(cassette.requests)]
            path = Path(cassette.path)
            return CassetteMissError(cassette=path.name, difference=difference(wanted, recorded))
    return None

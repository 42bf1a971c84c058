"""Record what a model answers, one file a conversation, and replay it with the network blocked."""

import sys
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import CassetteMissError, UnplayedError
from .file_names import file_name

if TYPE_CHECKING:
    from .cassettes import Tapes

NO_CONVERSATION = "turns"
"""The file of requests that belong to no conversation."""

_conversation: ContextVar[str] = ContextVar("henceforth_conversation", default=NO_CONVERSATION)
_active: list["Recording"] = []


class RecordMode(StrEnum):
    """Whether the model is asked and its answers kept, or the kept answers stand in for it."""

    RECORD = "record"
    REPLAY = "replay"


class Recording:
    """A folder of recorded conversations while it is recorded or replayed."""

    def __init__(self, tapes: "Tapes", mode: RecordMode) -> None:
        self._tapes, self.mode = tapes, mode

    def unplayed(self) -> Mapping[str, int]:
        """By file, how many requests were recorded and not asked for; only files looked in."""
        return self._tapes.unplayed() if self.mode is RecordMode.REPLAY else {}

    def check_all_played(self) -> None:
        """See to it that the run made every request of the files that it looked in.

        Raises:
            UnplayedError: If some were not made: the run is not the one that was recorded.
        """
        if unplayed := self.unplayed():
            raise UnplayedError(unplayed=unplayed)

    def save(self) -> None:
        """Write what was recorded so far."""
        self._tapes.save()


@contextmanager
def recording(
    directory: str | Path, *, mode: RecordMode | str = RecordMode.RECORD
) -> Generator[Recording]:
    """Record every request to a model, or answer them all from the recordings.

    Recording again replaces what is asked again and keeps the rest. Keys, cookies and all headers
    but a few stay out of the files, and so does what the process sends to anything but a model.
    What is said is in them, as it was said.

    Args:
        directory: Where the files are; one a conversation, named after it.
        mode: `record` or `replay`; see `replaying`.
    """
    from .cassettes import Tapes

    tapes = Tapes(Path(directory), replay=RecordMode(mode) is RecordMode.REPLAY, name=_here)
    tape = Recording(tapes, RecordMode(mode))
    with ExitStack() as undo:
        undo.callback(tape.save)
        tapes.patch(undo)
        _active.append(tape)
        undo.callback(_active.remove, tape)
        yield tape


def replaying(directory: str | Path) -> AbstractContextManager[Recording]:
    """Answer every request to a model from the recordings: nothing is sent, no key is needed.

    A request without a recording raises `CassetteMissError`, which says what differs. The host
    does not count, so that recordings replay against any endpoint.
    """
    return recording(directory, mode=RecordMode.REPLAY)


def _here() -> str:
    return file_name(_conversation.get())


@contextmanager
def conversation(name: str | None) -> Generator[None]:
    """Say which conversation the requests inside belong to; each has its own file."""
    token = _conversation.set(name or NO_CONVERSATION)
    try:
        yield
    finally:
        _conversation.reset(token)
        for tape in _active:
            tape.save()


def replay_key() -> str | None:
    """A key that opens nothing, for clients that insist on one, while nothing is sent."""
    replaying = _active and _active[-1].mode is RecordMode.REPLAY
    return "no-key-in-replay" if replaying else None


def miss_in(error: BaseException) -> CassetteMissError | None:
    """The missing recording behind the error, however deep a client wrapped it."""
    if "vcr" not in sys.modules:
        return None
    from .cassettes import explained_miss

    return explained_miss(error)

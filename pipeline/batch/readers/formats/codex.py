"""Codex's session files (`rollout-….jsonl`), of today and of before records had a payload."""

from collections.abc import Iterator
from pathlib import PurePath

from .....schemas.context import Context
from .....schemas.turn import Role
from ..fields import Fields, fields, first, flat, moment
from ..options import ReadOptions
from ..said import Heard, Machine, Raw, Said
from ..thread import Thread
from .base import ME, Format, Handler, role_of

_KINDS = {"session_meta", "response_item", "event_msg", "turn_context", "compacted"}


def _matches(given: Fields) -> bool:
    if given.get("type") in _KINDS and isinstance(given.get("payload"), dict):
        return True
    return {"id", "timestamp", "instructions"} <= given.keys() and "messages" not in given


class _Session:
    """What the lines before said of the session."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._thread: Thread | None = None
        self._id: str | None = None

    def turns(self, raw: Raw) -> Iterator[Said]:
        line = fields(raw.value)
        payload = fields(line.get("payload")) if "payload" in line else line
        if line.get("type") == "session_meta" or _opens(line):
            self._begin(payload)
        elif line.get("type") == "turn_context" and self._thread:
            self._move(payload)
        elif (heard := _heard(payload, line)) is not None:
            said = self._started(raw).hear(heard, raw.place)
            if said is not None:
                yield said

    def _begin(self, meta: Fields) -> None:
        """A resumed session repeats its head: only another id begins another."""
        id = first(meta, "id")
        if id and id != self._id:
            speaker = self._options.speaker or ME
            self._id, self._thread = id, Thread(id, speaker, self._options, _context(meta))

    def _move(self, turn: Fields) -> None:
        if self._thread and (cwd := first(turn, "cwd")):
            changed = {"cwd": cwd, "repository": self._thread.context.repository or _name(cwd)}
            self._thread.context = self._thread.context.model_copy(update=changed)

    def _started(self, raw: Raw) -> Thread:
        if self._thread is None:
            speaker = self._options.speaker or ME
            self._thread = Thread(raw.place.file, speaker, self._options)
        return self._thread


def _opens(line: Fields) -> bool:
    return "payload" not in line and "type" not in line and "id" in line


def _context(meta: Fields) -> Context:
    git, cwd = fields(meta.get("git")), first(meta, "cwd")
    remote = first(git, "repository_url")
    repository = remote.rstrip("/").rpartition("/")[2].removesuffix(".git") if remote else None
    return Context(repository=repository or _name(cwd), cwd=cwd, branch=first(git, "branch"))


def _name(cwd: str | None) -> str | None:
    return PurePath(cwd.replace("\\", "/")).name or None if cwd else None


def _heard(item: Fields, line: Fields) -> Heard | None:
    """The message, if the line holds one; events repeat what the items say."""
    if line.get("type") == "event_msg":
        return None
    said_at = moment(line.get("timestamp"))
    if item.get("type") == "message":
        return Heard(role_of(item.get("role")), flat(item.get("content")), said_at)
    if item.get("type") == "function_call_output":
        return Heard(Role.TOOL, flat(item.get("output")), said_at)
    if line.get("type") == "compacted":
        return Heard(Role.USER, flat(item.get("message")), said_at, None, Machine.SESSION_SUMMARY)
    return None


def _handler(options: ReadOptions) -> Handler:
    return _Session(options).turns


FORMAT = Format("codex", _matches, _handler)

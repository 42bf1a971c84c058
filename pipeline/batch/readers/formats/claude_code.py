"""Claude Code's session files: one event a line, tool results in the user's role."""

from collections.abc import Iterator
from pathlib import PurePath

from .....schemas.context import Context
from .....schemas.turn import Role
from ..fields import Fields, fields, first, flat, items, moment
from ..options import ReadOptions
from ..said import BadRecordError, Heard, Machine, Raw, Said
from ..thread import Thread
from .base import ME, Format, Handler, is_tool_result, tool_text

_EVENTS = {"user", "assistant"}
_OTHERS = {"summary", "system", "file-history-snapshot", "queue-operation", "progress"}


def _matches(given: Fields) -> bool:
    kind = given.get("type")
    if kind in _EVENTS:
        return "sessionId" in given and isinstance(given.get("message"), dict)
    return kind in _OTHERS and bool({"leafUuid", "messageId", "sessionId"} & given.keys())


def _handler(options: ReadOptions) -> Handler:
    threads: dict[str, Thread] = {}

    def turns(raw: Raw) -> Iterator[Said]:
        event = fields(raw.value)
        if event.get("type") not in _EVENTS:
            return
        session = first(event, "sessionId")
        if session is None:
            raise BadRecordError("the event has no `sessionId`")
        thread = threads.setdefault(session, Thread(session, options.speaker or ME, options))
        thread.context = _context(event, session)
        said = thread.hear(_heard(event), raw.place)
        if said is not None:
            yield said

    return turns


def _context(event: Fields, session: str) -> Context:
    cwd = first(event, "cwd")
    return Context(
        conversation=session,
        repository=PurePath(cwd.replace("\\", "/")).name or None if cwd else None,
        cwd=cwd,
        branch=first(event, "gitBranch"),
    )


def _heard(event: Fields) -> Heard:
    message = fields(event.get("message"))
    content = message.get("content")
    if content is None:
        raise BadRecordError("the event has no `message.content`")
    role = Role.USER if event.get("type") == "user" else Role.ASSISTANT
    own = flat([part for part in items(content) if not is_tool_result(part)] or content)
    machine = _machine(event)
    if role is Role.USER and any(map(is_tool_result, items(content))) and not own.strip():
        own, machine = tool_text(content), Machine.TOOL_RESULT
    return Heard(role, own, moment(event.get("timestamp")), first(event, "uuid"), machine)


def _machine(event: Fields) -> Machine | None:
    if event.get("isCompactSummary") is True:
        return Machine.SESSION_SUMMARY
    if event.get("isSidechain") is True:
        return Machine.AGENT
    if event.get("isMeta") is True:
        return Machine.COMMAND
    return None


FORMAT = Format("claude-code", _matches, _handler)

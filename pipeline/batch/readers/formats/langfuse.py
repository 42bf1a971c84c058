"""Langfuse's exports: traces and observations, in the case of its API or of its tables."""

import json

from ..fields import Fields, fields, first, items, moment
from .base import Format
from .calls import Call, calls


def _matches(given: Fields) -> bool:
    trace = bool({"sessionId", "session_id", "userId", "user_id"} & given.keys())
    observation = bool({"traceId", "trace_id"} & given.keys())
    timed = bool({"timestamp", "startTime", "start_time"} & given.keys())
    return "input" in given and "output" in given and timed and (trace or observation)


def _call(given: Fields) -> Call | None:
    messages = _messages(_decoded(given.get("input")))
    if not messages or given.get("type") in {"SPAN", "EVENT", "TOOL", "EMBEDDING"}:
        return None
    said_at = given.get("startTime") or given.get("start_time") or given.get("timestamp")
    return Call(
        id=first(given, "id"),
        conversation=first(given, "sessionId", "session_id", "traceId", "trace_id"),
        speaker=first(given, "userId", "user_id"),
        said_at=moment(said_at),
        messages=messages,
    )


def _messages(given: object) -> list[object]:
    """The messages of an input: a list of them, an object with one, or just what was said."""
    if isinstance(given, str) and given.strip():
        return [{"role": "user", "content": given}]
    found = items(given) or items(fields(given).get("messages"))
    if found:
        return [each for each in found if "role" in fields(each)]
    return [given] if "role" in fields(given) else []


def _decoded(value: object) -> object:
    if isinstance(value, str) and value[:1] in {"[", "{"}:
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


FORMAT = Format("langfuse", _matches, calls(_call))

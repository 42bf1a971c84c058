"""LiteLLM's logs: the standard logging payload, and the rows of the proxy's spend log."""

import json

from ..fields import Fields, fields, first, items, moment
from .base import Format
from .calls import Call, calls

_CHATS = {None, "", "completion", "acompletion", "responses", "aresponses", "anthropic_messages"}


def _matches(given: Fields) -> bool:
    return "call_type" in given and "startTime" in given


def _call(given: Fields) -> Call | None:
    messages = _messages(given)
    if given.get("call_type") not in _CHATS or given.get("status") == "failure" or not messages:
        return None
    metadata = fields(_decoded(given.get("metadata")))
    return Call(
        id=first(given, "id", "request_id"),
        conversation=first(given, "session_id", "trace_id") or first(metadata, "session_id"),
        speaker=first(given, "end_user")
        or first(metadata, "user_api_key_end_user_id", "user_api_key_user_id")
        or first(given, "user"),
        said_at=moment(given.get("startTime")),
        messages=messages,
    )


def _messages(given: Fields) -> list[object]:
    """The messages; a spend log may keep them in the request, and as JSON in a text."""
    found = _decoded(given.get("messages"))
    if not items(found):
        found = fields(_decoded(given.get("proxy_server_request"))).get("messages")
    return list(items(_decoded(found)))


def _decoded(value: object) -> object:
    if isinstance(value, str) and value[:1] in {"[", "{"}:
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


FORMAT = Format("litellm", _matches, calls(_call))

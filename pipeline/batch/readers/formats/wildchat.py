"""WildChat rows: a conversation with a hash of the address of who had it."""

from collections.abc import Iterator

from ..fields import Fields, fields, first, flat, items, moment
from ..said import Heard
from .base import Conversation, Format, role_of, whole


def _matches(given: Fields) -> bool:
    return "conversation_hash" in given and bool(items(given.get("conversation")))


def _conversation(given: Fields) -> Conversation:
    messages = items(given.get("conversation"))
    speakers = (first(fields(each), "hashed_ip") for each in messages)
    return Conversation(
        id=first(given, "conversation_hash"),
        speaker=first(given, "hashed_ip") or next(filter(None, speakers), None),
        messages=_messages(given),
    )


def _messages(given: Fields) -> Iterator[Heard]:
    started = moment(given.get("timestamp"))
    for each in items(given.get("conversation")):
        said = fields(each)
        said_at = moment(said.get("timestamp"))
        yield Heard(role_of(said.get("role")), flat(said.get("content")), said_at or started)


FORMAT = Format("wildchat", _matches, whole(_conversation))

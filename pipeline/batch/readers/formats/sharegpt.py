"""ShareGPT: `conversations` of `from` and `value`."""

from collections.abc import Iterator

from ..fields import Fields, fields, first, flat, items
from ..said import BadRecordError, Heard
from .base import Conversation, Format, role_of, whole


def _matches(given: Fields) -> bool:
    said = items(given.get("conversations"))
    return bool(said) and "from" in fields(said[0])


def _conversation(given: Fields) -> Conversation:
    if not items(given.get("conversations")):
        raise BadRecordError("there are no `conversations`")
    return Conversation(
        id=first(given, "id", "conversation_id"),
        speaker=first(given, "user_id", "user"),
        messages=_messages(given),
    )


def _messages(given: Fields) -> Iterator[Heard]:
    for each in items(given.get("conversations")):
        said = fields(each)
        yield Heard(role_of(said.get("from")), flat(said.get("value")))


FORMAT = Format("sharegpt", _matches, whole(_conversation))

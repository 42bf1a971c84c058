"""OpenAI `messages`: a conversation a record, as fine-tuning files and chat logs hold it."""

from ..fields import Fields, fields, first, items, moment
from ..said import BadRecordError, Heard
from .base import Conversation, Format, openai_message, whole


def _matches(given: Fields) -> bool:
    messages = items(given.get("messages"))
    return bool(messages) and "role" in fields(messages[0])


def _conversation(given: Fields) -> Conversation:
    messages = items(given.get("messages"))
    if not messages:
        raise BadRecordError("there are no `messages`")
    metadata = fields(given.get("metadata"))
    said_at = moment(given.get("created_at") or given.get("created") or given.get("timestamp"))
    return Conversation(
        id=first(given, "conversation_id", "conversation", "id"),
        speaker=first(given, "user", "user_id") or first(metadata, "user_id", "user"),
        messages=[
            Heard(each.role, each.text, said_at, machine=each.machine)
            for each in map(openai_message, messages)
        ],
    )


FORMAT = Format("openai", _matches, whole(_conversation))

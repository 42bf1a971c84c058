"""Messages in the form that most chat models take, read and changed. Pure.

A message is a mapping with `role` and `content`; the content is a text, or a list of parts of which
those of type `text` are read. Whatever else a message holds is left as it is.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias, cast

from ...schemas.base import Shape
from ...schemas.context import Context
from ...schemas.ids import TurnId
from ...schemas.turn import Message, Role, Turn
from ..core.render import TAG

ChatMessage: TypeAlias = Mapping[str, Any]
"""One message of the request that a chat model takes."""

_ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
}
"""Any other role is that of a tool."""

_BLOCK = re.compile(rf"\s*<{TAG}>(?:(?!<{TAG}>).)*?</{TAG}>", re.DOTALL)
"""A block of rules; rules cannot hold its tags, so a tag that opens twice is not ours."""


class Speaking(Shape):
    """Who talks where, as the host knows it.

    Attributes:
        context: Where the messages belong; its conversation is needed.
        dropped: How many messages of the conversation the host left out in front of the first.
        name: In a group, the `name` of the subject's messages; others' are no turns of theirs.
    """

    context: Context
    dropped: int = 0
    name: str | None = None


def user_turns(
    messages: Sequence[ChatMessage], speaking: Speaking, *, said_at: datetime
) -> Sequence[Turn]:
    """The turns of the subject in the order said; messages without any text are none.

    A turn is known by the `id` of its message, else by its place in the conversation. System
    messages have no place: hosts add and drop them.
    """
    heard = [each for each in messages if _role(each) is not Role.SYSTEM]
    read = [Message(role=_role(each), text=text_of(each), id=each.get("id")) for each in heard]
    present = {each["name"] for each in heard if _role(each) is Role.USER and each.get("name")}
    several = tuple(sorted(present)) if speaking.name is None and len(present) > 1 else ()
    return [
        Turn(
            id=_turn_id(speaking, each, place),
            text=read[place].text,
            said_at=said_at,
            index=place + speaking.dropped,
            participants=several,
            before=tuple(read[:place]),
            context=speaking.context,
        )
        for place, each in enumerate(heard)
        if read[place].text and _is_subjects(each, speaking)
    ]


def with_block(messages: Sequence[ChatMessage], block: str) -> list[ChatMessage]:
    """The messages with the block at the end of the first system message, and nowhere else.

    An empty block takes the earlier one away. A list that begins with no system message gets one.
    """
    kept = [each for each in map(_without_block, messages) if each is not None]
    if not block:
        return kept
    if not kept or _role(kept[0]) is not Role.SYSTEM:
        return [{"role": "system", "content": block}, *kept]
    return [{**kept[0], "content": _added(kept[0].get("content"), block)}, *kept[1:]]


def text_of(message: ChatMessage) -> str:
    """All that the message says in words."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n\n".join(str(part["text"]) for part in content or () if _is_text(part))


def _is_text(part: Any) -> bool:
    return isinstance(part, Mapping) and isinstance(cast("ChatMessage", part).get("text"), str)


def _role(message: ChatMessage) -> Role:
    return _ROLES.get(str(message.get("role")), Role.TOOL)


def _is_subjects(message: ChatMessage, speaking: Speaking) -> bool:
    is_named = speaking.name is None or message.get("name") == speaking.name
    return _role(message) is Role.USER and is_named


def _turn_id(speaking: Speaking, message: ChatMessage, place: int) -> TurnId:
    own = message.get("id")
    return TurnId(f"{speaking.context.conversation}/{own or place + speaking.dropped}")


def _without_block(message: ChatMessage) -> ChatMessage | None:
    """The message without a block in it; None when a system message held nothing else."""
    if _role(message) is not Role.SYSTEM or TAG not in text_of(message):
        return message
    content = message["content"]
    left = _cleared(content) if isinstance(content, str) else _cleared_parts(content)
    return {**message, "content": left} if left else None


def _cleared(text: str) -> str:
    return _BLOCK.sub("", text)


def _cleared_parts(parts: Iterable[Any]) -> list[Any]:
    cleared = [
        {**part, "text": _cleared(part["text"])} if _is_text(part) else part for part in parts
    ]
    return [part for part in cleared if not _is_text(part) or part["text"]]


def _added(content: Any, block: str) -> Any:
    if isinstance(content, str) or content is None:
        return f"{content}\n\n{block}" if content else block
    return [*content, {"type": "text", "text": block}]

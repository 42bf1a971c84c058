"""ChatGPT's `conversations.json`: a tree of messages, of which the branch last shown counts."""

from collections.abc import Iterator

from .....schemas.turn import Role
from ..fields import Fields, fields, first, flat, items, moment
from ..said import BadRecordError, Heard, Machine
from .base import ME, Conversation, Format, role_of, whole

_INJECTED = {"user_editable_context", "model_editable_context"}
"""Custom instructions and memories, which the program puts before the first message."""


def _matches(given: Fields) -> bool:
    return isinstance(given.get("mapping"), dict) and "current_node" in given


def _conversation(given: Fields) -> Conversation:
    mapping = fields(given.get("mapping"))
    if not mapping:
        raise BadRecordError("there is no `mapping` of messages")
    return Conversation(
        id=first(given, "conversation_id", "id"),
        speaker=ME,
        messages=_messages(_branch(given, mapping)),
    )


def _branch(given: Fields, mapping: Fields) -> list[Fields]:
    """The nodes from the first to the one last shown."""
    nodes: list[Fields] = []
    seen: set[str] = set()
    name = first(given, "current_node") or _last(mapping)
    while name and name in mapping and name not in seen:
        seen.add(name)
        nodes.append(fields(mapping[name]))
        name = first(nodes[-1], "parent")
    return nodes[::-1]


def _last(mapping: Fields) -> str | None:
    leaves = [name for name, node in mapping.items() if not items(fields(node).get("children"))]
    return leaves[-1] if leaves else None


def _messages(nodes: list[Fields]) -> Iterator[Heard]:
    for node in nodes:
        message = fields(node.get("message"))
        role = fields(message.get("author")).get("role")
        if message and role is not None:
            yield _heard(message, role_of(role))


def _heard(message: Fields, role: Role) -> Heard:
    content = fields(message.get("content"))
    hidden = fields(message.get("metadata")).get("is_visually_hidden_from_conversation") is True
    injected = content.get("content_type") in _INJECTED
    return Heard(
        role=role,
        text=flat(content.get("parts")) or flat(content.get("text")) or _about(content),
        said_at=moment(message.get("create_time")),
        id=first(message, "id"),
        machine=Machine.INJECTED_RULES if injected or hidden else None,
    )


def _about(content: Fields) -> str:
    return first(content, "user_instructions", "user_profile", "model_set_context") or ""


FORMAT = Format("chatgpt", _matches, whole(_conversation))

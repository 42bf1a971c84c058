"""What a format is, and what most of them share."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from .....schemas.context import Context
from .....schemas.turn import Role
from ..fields import Fields, fields, flat, items
from ..options import ReadOptions
from ..said import BadRecordError, Heard, Machine, Place, Raw, Said
from ..thread import Thread

ME = "me"
"""Whose an export of one account is, where nobody says."""

Handler: TypeAlias = Callable[[Raw], Iterable[Said]]
"""Gives the turns of one record; keeps what it must remember between records."""


@dataclass(frozen=True)
class Format:
    """A format of transcripts.

    Attributes:
        matches: Whether a record is of this format, by its fields.
        handler: Makes what reads the records of one file, in their order.
    """

    name: str
    matches: Callable[[Fields], bool]
    handler: Callable[[ReadOptions], Handler]


@dataclass(frozen=True)
class Conversation:
    """A whole conversation in one record.

    Attributes:
        speaker: Who the user is; None where the record does not say.
    """

    id: str | None
    speaker: str | None
    messages: Iterable[Heard]
    context: Context | None = None


def whole(parse: Callable[[Fields], Conversation]) -> Callable[[ReadOptions], Handler]:
    """The handler of a format that has one conversation in each record."""

    def handler(options: ReadOptions) -> Handler:
        def turns(raw: Raw) -> Iterator[Said]:
            found = parse(fields(raw.value))
            conversation = found.id or str(raw.place)
            speaker = options.speaker or found.speaker or stranger(conversation)
            thread = Thread(conversation, speaker, options, found.context)
            return heard_in(thread, found.messages, raw.place)

        return turns

    return handler


def heard_in(thread: Thread, messages: Iterable[Heard], place: Place) -> Iterator[Said]:
    """The turns among the messages of one record."""
    for heard in messages:
        said = thread.hear(heard, place)
        if said is not None:
            yield said


def stranger(conversation: str) -> str:
    """The user of a conversation that names nobody: a person of its own."""
    return f"conversation:{conversation}"


ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "prompter": Role.USER,
    "assistant": Role.ASSISTANT,
    "gpt": Role.ASSISTANT,
    "chatgpt": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "bot": Role.ASSISTANT,
    "bing": Role.ASSISTANT,
    "bard": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "function_call": Role.TOOL,
    "observation": Role.TOOL,
}
"""The names of roles in all formats."""


def role_of(name: object) -> Role:
    """The role by any of its names.

    Raises:
        BadRecordError: If it is none.
    """
    role = ROLES.get(name.casefold()) if isinstance(name, str) else None
    if role is None:
        raise BadRecordError(f"{name!r} is no role")
    return role


def openai_message(value: object) -> Heard:
    """A message as the OpenAI and Anthropic APIs write it.

    Raises:
        BadRecordError: If it is no message.
    """
    given = fields(value)
    role = role_of(given.get("role"))
    content = given.get("content")
    own = flat([part for part in items(content) if not is_tool_result(part)] or content)
    if role is Role.USER and any(map(is_tool_result, items(content))) and not own.strip():
        return Heard(role, tool_text(content), machine=Machine.TOOL_RESULT)
    return Heard(role, own)


def is_tool_result(part: object) -> bool:
    """Whether a part of a user message is what a tool gave back."""
    return fields(part).get("type") in {"tool_result", "function_call_output"}


def tool_text(content: object) -> str:
    """What the tools gave back, as text."""
    return "\n".join(flat(fields(part).get("content")) for part in items(content))

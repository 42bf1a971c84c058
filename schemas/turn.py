"""What is said: messages, and the user turn that is labelled."""

from enum import StrEnum
from hashlib import sha256
from typing import Any

from pydantic import AwareDatetime, Field

from .base import Shape
from .context import Context
from .ids import TurnId


class Role(StrEnum):
    """Who a message comes from."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class Message(Shape):
    """One message of a conversation, before the turn.

    Attributes:
        id: The host's id, if it has one: it tells two equal assistant messages apart.
    """

    role: Role
    text: str
    id: str | None = None


class Reference(Shape):
    """What a fact rests on: a file with the hash of its content, or a commit."""

    file: str | None = None
    sha256: str | None = None
    commit: str | None = None


def _id_of(given: dict[str, Any]) -> str:
    context = given.get("context")
    if isinstance(context, Context) and context.conversation:
        return f"{context.conversation}/{given.get('index', 0)}"
    return ""


class Turn(Shape):
    """One user turn.

    Attributes:
        id: The host's id; without one, `conversation/index`. Never made from content alone.
        text: What the user wrote; kept only until it is labelled.
        said_at: When it was said, with its zone: the zone gives the local day.
        index: Position in the conversation, from 0.
        speaker: Who said it, where the host tells.
        participants: Who could have said it; several, and no speaker: nothing is labelled.
        before: The messages before this turn, oldest first.
        context: Where it was said.
        references: What a fact in this turn can be checked against.
    """

    text: str
    said_at: AwareDatetime
    index: int = Field(default=0, ge=0)
    speaker: str | None = None
    participants: tuple[str, ...] = ()
    before: tuple[Message, ...] = ()
    context: Context = Context()
    references: tuple[Reference, ...] = ()
    id: TurnId = Field(default_factory=_id_of, validate_default=True, min_length=1)

    @property
    def text_hash(self) -> str:
        """`sha256:…` of the text: what tells a redelivered turn from an edited one."""
        return f"sha256:{sha256(self.text.encode('utf-8', 'surrogatepass')).hexdigest()}"

    @property
    def reacts_to(self) -> str | None:
        """The assistant message that this turn answers: its id, or its place in the talk."""
        for back, message in enumerate(reversed(self.before), start=1):
            if message.role is Role.ASSISTANT:
                return message.id or f"{self.context.conversation or self.id}/{self.index - back}"
        return None

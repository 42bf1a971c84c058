"""The forms a line of a transcript may have, told apart by content. Shapes only."""

from typing import Annotated, Any, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ...schemas.base import Shape
from ...schemas.context import Context
from ...schemas.turn import Message, Reference, Role
from .lines import is_list, is_object
from .times import SaidAt


def _role(value: object) -> object:
    """OpenAI has further names for two of the roles."""
    return {"developer": "system", "function": "tool"}.get(str(value), value)


class Line(Shape):
    """What any form may tell of a message, besides its text.

    Attributes:
        conversation: The conversation; None where the line names none.
        speaker: Who said it, also under the name `user`.
    """

    role: Annotated[Role, BeforeValidator(_role)] = Role.USER
    conversation: str | None = None
    speaker: str | None = Field(
        default=None, min_length=1, validation_alias=AliasChoices("speaker", "user")
    )
    said_at: SaidAt = Field(
        default=None,
        validation_alias=AliasChoices("said_at", "timestamp", "created_at", "created"),
    )
    id: str | None = Field(default=None, min_length=1)
    index: int | None = Field(default=None, ge=0)
    context: Context = Context()


class TurnLine(Line):
    """A turn of henceforth, or any message with a `text`; unknown keys are refused."""

    text: str
    participants: tuple[str, ...] = ()
    before: tuple[Message, ...] | None = None
    references: tuple[Reference, ...] = ()


def _joined(value: Any) -> Any:
    """The text of a content that may come in parts, or not at all beside a tool call."""
    if value is None:
        return ""
    if not is_list(value):
        return value
    texts = [each.get("text") for each in value if is_object(each)]
    return "\n".join(each for each in texts if isinstance(each, str))


class MessageLine(Line):
    """An OpenAI message; what it holds besides is left alone."""

    model_config = ConfigDict(extra="ignore")

    text: Annotated[str, BeforeValidator(_joined)] = Field(default="", validation_alias="content")

    @model_validator(mode="before")
    @classmethod
    def _has_a_role(cls, given: Any) -> Any:
        if not is_object(given) or "role" not in given:
            raise ValueError("a message has a role, and this one has none")
        return given


class Conversation(BaseModel):
    """A list of OpenAI messages, with what is said of all of them."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    messages: tuple[MessageLine, ...]
    conversation: str | None = Field(
        default=None, validation_alias=AliasChoices("conversation", "conversation_id", "id")
    )
    speaker: str | None = Field(default=None, validation_alias=AliasChoices("speaker", "user"))
    said_at: SaidAt = Field(
        default=None,
        validation_alias=AliasChoices("said_at", "timestamp", "created_at", "created"),
    )
    context: Context = Context()

    def lines(self) -> tuple[MessageLine, ...]:
        """The messages, each with what the conversation says of it."""
        return tuple(self._line(each) for each in self.messages)

    def _line(self, message: MessageLine) -> MessageLine:
        is_user = message.role is Role.USER
        return message.model_copy(
            update={
                "conversation": message.conversation or self.conversation,
                "speaker": message.speaker or (self.speaker if is_user else None),
                "said_at": message.said_at or self.said_at,
                "context": message.context if message.context.model_fields_set else self.context,
            }
        )


AnyLine: TypeAlias = TurnLine | MessageLine


def read_form(value: Any, *, zone: ZoneInfo) -> Conversation | AnyLine:
    """The value in the form that its content shows.

    Raises:
        ValueError: If it has none; a `ValidationError` where it has one with a fault.
    """
    given = {"zone": zone}
    if is_list(value):
        return Conversation.model_validate({"messages": value}, context=given)
    if not is_object(value):
        raise ValueError("neither a turn nor a message: it must be an object or a list")
    if "messages" in value:
        return Conversation.model_validate(value, context=given)
    if "text" in value:
        return TurnLine.model_validate(value, context=given)
    if "role" in value:
        return MessageLine.model_validate(value, context=given)
    raise ValueError("neither a turn nor a message: it has no text, no role and no messages")

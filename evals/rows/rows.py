"""The shape of third-party rows: labelled turns, states and retrievals of other people's data.

Read with leniency: keys that are not known here are kept and ignored, and most may be absent.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal, Self, cast

from pydantic import AliasChoices, BeforeValidator, ConfigDict, Field, model_validator

from ...schemas.base import Shape
from ...schemas.labels import Label
from ...schemas.turn import Message, Role
from ..data.cases import CaseContext


class RowIntent(StrEnum):
    """The intents in the words of a row."""

    DURABLE = "durable"
    TASK_ONLY = "task_only"
    REPLACEMENT = "replacement"
    SCOPED_RULE = "scoped_rule"
    FORGET = "forget"
    INFERENCE = "inference"
    NONE = "none"


class RowKind(StrEnum):
    """What a row tries."""

    LABELS = "labels"
    STATE = "state"
    RETRIEVAL = "retrieval"


class Open(Shape):
    """A shape that lets unknown keys pass: the data is not ours."""

    model_config = ConfigDict(extra="allow", frozen=True)


def _message(value: object) -> object:
    return {"role": Role.USER, "text": value} if isinstance(value, str) else value


def _some(value: object) -> object:
    """One value, or none at all, as a list."""
    if value is None:
        return ()
    return (value,) if type(value) in {str, dict} else value


def _seed(value: object) -> object:
    """A rule given as a text alone, or under one of the names that data sets use."""
    if isinstance(value, str):
        return {"text": value}
    known = _mapping(value)
    names = ("text", "statement", "rule", "value", "content")
    text = next((known[name] for name in names if isinstance(known.get(name), str)), None)
    return value if text is None else {**known, "text": text}


def _text_of(value: object) -> object:
    """A rule by its text, its id, or its place in `rules`."""
    if isinstance(value, int):
        return str(value)
    return _mapping(_seed(value)).get("text", value)


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


class RowTurn(Open):
    """One message; a plain text is a user turn."""

    role: Role = Role.USER
    text: str = Field(default="", validation_alias=AliasChoices("text", "content"))
    context: CaseContext | None = None

    @property
    def message(self) -> Message:
        """The message before a later turn."""
        return Message(role=self.role, text=self.text)


class Seed(Open):
    """A rule that is there before the row begins, in words or as a label."""

    text: str
    id: str | None = None
    label: Label | None = None
    context: CaseContext | None = None


Texts = Annotated[tuple[str, ...], BeforeValidator(_some)]
Seeds = Annotated[tuple[Annotated[Seed, BeforeValidator(_seed)], ...], BeforeValidator(_some)]
RuleTexts = Annotated[tuple[Annotated[str, BeforeValidator(_text_of)], ...], BeforeValidator(_some)]


class RowGold(Open):
    """What is right for a row.

    Attributes:
        store: Whether the turn must leave a record, or take one away.
        labelled_turn: Which of `turns` is labelled; the last user turn when not given.
        store_before: Rules that are there before.
        in_force: Rules in force in a fresh session afterwards; for retrieval, for the query.
    """

    intent: RowIntent | None = None
    accept_intents: Annotated[tuple[RowIntent, ...], BeforeValidator(_some)] = ()
    store: bool | Literal["delete"] | None = None
    scope: Texts = ()
    dimension: Texts = ()
    hard: bool = False
    condition: Any = None
    labelled_turn: int | None = None
    store_before: Seeds = ()
    in_force: RuleTexts | None = Field(
        default=None, validation_alias=AliasChoices("in_force", "in_force_fresh_session")
    )
    not_in_force: RuleTexts = ()


class Row(Open):
    """One row of third-party data."""

    id: str
    source: str = ""
    license: str = ""
    lang: str = "und"
    text: str | None = None
    turns: tuple[Annotated[RowTurn, BeforeValidator(_message)], ...] = ()
    context: CaseContext | None = None
    rules: Seeds = ()
    query: Annotated[RowTurn, BeforeValidator(_message)] | None = None
    gold: RowGold
    why: Any = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.text is None and not self.turns and self.query is None:
            raise ValueError("a row has `text`, `turns`, or `rules` and a `query`")
        at = self.gold.labelled_turn
        if at is not None and not 0 <= at < max(len(self.messages), 1):
            raise ValueError(f"labelled_turn {at} is not one of the turns")
        return self

    @property
    def kind(self) -> RowKind:
        """What the row tries: a gold intent or `store` makes it a labelled turn."""
        if self.query is not None:
            return RowKind.RETRIEVAL
        labelled = self.gold.intent is not None or self.gold.store is not None
        return RowKind.LABELS if labelled else RowKind.STATE

    @property
    def messages(self) -> Sequence[RowTurn]:
        """The messages of the row, in order."""
        return self.turns or ((RowTurn(text=self.text),) if self.text is not None else ())

    @property
    def labelled_turn(self) -> int:
        """The place of the turn that is labelled."""
        if self.gold.labelled_turn is not None:
            return self.gold.labelled_turn
        users = [at for at, turn in enumerate(self.messages) if turn.role is Role.USER]
        return users[-1] if users else 0

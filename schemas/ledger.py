"""The append-only ledger: what was said and what was decided, in entries that fold to rules."""

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import AwareDatetime, Field

from .base import Shape
from .context import Context
from .ids import RuleId, TurnId
from .labels import LabelledBy, TurnLabels
from .turn import Reference


class Relation(StrEnum):
    """How a label stands to a rule it might mean."""

    SAME = "same"
    REPLACES = "replaces"
    BESIDE = "beside"


class LinkedBy(StrEnum):
    """Who settled a link."""

    USER = "user"
    MODEL = "model"
    REDACTION = "redaction"


class TurnEntry(Shape):
    """A labelled turn: its hash and its labels with their quotes, never its text."""

    entry: Literal["turn"] = "turn"
    turn: TurnId
    text_hash: str
    said_at: AwareDatetime
    index: int = 0
    context: Context = Context()
    reacts_to: str | None = None
    references: tuple[Reference, ...] = ()
    labels: TurnLabels
    labelled_by: LabelledBy | None = None
    recorded_at: AwareDatetime


class LinkEntry(Shape):
    """The word of the user, or of a model, on a label and a rule that code could not settle."""

    entry: Literal["link"] = "link"
    turn: TurnId
    label: int
    rule: RuleId
    relation: Relation
    by: LinkedBy
    recorded_at: AwareDatetime


class VoidEntry(Shape):
    """An undo: the turn counts as never said."""

    entry: Literal["void"] = "void"
    turn: TurnId
    recorded_at: AwareDatetime


class CommandEntry(Shape):
    """A word on one rule by its id, given outside the conversation: forget it, or confirm it."""

    entry: Literal["command"] = "command"
    command: Literal["forget", "confirm"]
    rule: RuleId
    said_at: AwareDatetime
    recorded_at: AwareDatetime


class EndEntry(Shape):
    """The host ends a task, or without a task the whole conversation."""

    entry: Literal["end"] = "end"
    conversation: str | None = None
    task: str | None = None
    said_at: AwareDatetime
    recorded_at: AwareDatetime


class EventEntry(Shape):
    """Something happened that a rule's `until` waits for, in its words."""

    entry: Literal["event"] = "event"
    event: str
    said_at: AwareDatetime
    recorded_at: AwareDatetime


LedgerEntry: TypeAlias = Annotated[
    TurnEntry | LinkEntry | VoidEntry | CommandEntry | EndEntry | EventEntry,
    Field(discriminator="entry"),
]

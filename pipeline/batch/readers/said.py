"""What a reader gives: turns with their place in a file, and records that could not be read."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ....schemas.turn import Role, Turn


class Machine(StrEnum):
    """What a machine writes in the user's role."""

    TOOL_RESULT = "tool_result"
    SESSION_SUMMARY = "session_summary"
    INJECTED_RULES = "injected_rules"
    SYSTEM_REMINDER = "system_reminder"
    COMMAND = "command"
    NOTICE = "notice"
    AGENT = "agent"


@dataclass(frozen=True)
class Place:
    """Where a record stands: the line of the file, or the number of the item in its array."""

    file: str
    line: int

    def __str__(self) -> str:
        """`exports/chats.jsonl:12`."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Said:
    """A turn in the user's role.

    Attributes:
        turn: The turn; its speaker is set, and its conversation too.
        machine: What it is, where no user wrote it: such a turn is never labelled.
    """

    turn: Turn
    speaker: str
    place: Place
    machine: Machine | None = None


@dataclass(frozen=True)
class Reject:
    """A record that could not be read, as it stands in the file; what follows it is read."""

    place: Place
    why: str
    raw: str


@dataclass(frozen=True)
class Raw:
    """One record of a file before anybody knows what it means.

    Attributes:
        fault: Why there is no value.
    """

    place: Place
    value: object = None
    fault: str | None = None
    raw: str | None = None


@dataclass(frozen=True)
class Heard:
    """One message of a conversation, whoever wrote it."""

    role: Role
    text: str
    said_at: datetime | None = None
    id: str | None = None
    machine: Machine | None = None


class BadRecordError(ValueError):
    """The record is none of its format; it becomes a `Reject`."""

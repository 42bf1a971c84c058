"""From the lines of a transcript to user turns: ids, places, times, the messages before. Pure."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from ...schemas.context import Context
from ...schemas.ids import TurnId
from ...schemas.turn import Message, Role, Turn
from .forms import AnyLine, Conversation, TurnLine, read_form
from .lines import Fault, Place, PlacedAs, Value, read_values

_REMEMBERED = 16
"""Messages before a turn that are kept with it at least; more where the settings ask for more."""


@dataclass(frozen=True)
class Read:
    """A transcript as turns.

    Attributes:
        turns: The user turns in said order, each with its place in the file.
        faults: What could not be read; nothing of it is in the turns.
        backwards: How many turns are said before a message that stands before them.
    """

    turns: tuple[tuple[Place, Turn], ...]
    faults: tuple[Fault, ...]
    backwards: int = 0


def read_transcript(
    content: bytes,
    *,
    file: str | Path,
    zone: ZoneInfo,
    now: datetime,
    conversation: str | None = None,
    preceding: int = 0,
) -> Read:
    """The user turns of a transcript.

    A line that cannot be read is a fault and counts as one message of the conversation before
    it, so that mending it later does not move the turns behind it.

    Args:
        content: The file as it is.
        file: Its name, for places and for turns that name no conversation.
        zone: The zone of times that come without one.
        now: When turns without a time are said, each a microsecond after the one before.
        conversation: The conversation of lines that name none; by default the file's name.
        preceding: How many messages before a turn are wanted.
    """
    name = conversation or Path(file).stem
    reader = _Reader(name, zone, now, max(_REMEMBERED, preceding))
    for value in read_values(content, file=file):
        reader.take(value)
    return Read(tuple(reader.turns()), tuple(reader.faults), reader.backwards)


def _said(turn: Turn) -> tuple[datetime, int, TurnId]:
    return (turn.said_at, turn.index, turn.id)


@dataclass
class _Talk:
    """One conversation while it is read."""

    name: str
    before: deque[Message]
    index: int = 0
    said_at: datetime | None = None
    speakers: dict[str, None] = field(default_factory=dict[str, None])


@dataclass
class _Reader:
    name: str
    zone: ZoneInfo
    now: datetime
    remembered: int
    faults: list[Fault] = field(default_factory=list[Fault])
    backwards: int = 0
    _read: list[tuple[Place, Turn, _Talk]] = field(default_factory=list[tuple[Place, Turn, _Talk]])
    _talks: dict[str, _Talk] = field(default_factory=dict[str, _Talk])
    _last: _Talk | None = None

    def turns(self) -> list[tuple[Place, Turn]]:
        """The turns in said order; one that several could have said names them all."""
        named = [(place, _with_participants(turn, talk)) for place, turn, talk in self._read]
        return sorted(named, key=lambda each: _said(each[1]))

    def take(self, value: Value | Fault) -> None:
        """Read one value; what is wrong with it becomes a fault."""
        if isinstance(value, Fault):
            self._fail(value)
            return
        try:
            for line in self._lines(value):
                self._say(line, value)
        except ValueError as error:
            self._fail(Fault(value.place, why(error), value.raw))

    def _fail(self, fault: Fault) -> None:
        self.faults.append(fault)
        (self._last or self._talk(self.name)).index += 1

    def _lines(self, value: Value) -> Sequence[AnyLine]:
        form = read_form(value.value, zone=self.zone)
        if not isinstance(form, Conversation):
            return (form,)
        if form.conversation is None:
            number = value.place.number
            whole = value.place.counts is PlacedAs.WHOLE
            named = {"conversation": self.name if whole else f"{self.name}-{number}"}
            form = form.model_copy(update=named)
        return form.lines()

    def _talk(self, name: str) -> _Talk:
        if name not in self._talks:
            self._talks[name] = _Talk(name, before=deque(maxlen=self.remembered))
        return self._talks[name]

    def _say(self, line: AnyLine, value: Value) -> None:
        """One message more: a turn if the user said it, and in any case one to remember."""
        talk = self._last = self._talk(line.conversation or line.context.conversation or self.name)
        index = talk.index if line.index is None else line.index
        if line.said_at and talk.said_at and line.said_at < talk.said_at:
            self.backwards += 1
        said_at = line.said_at or talk.said_at
        if line.role is Role.USER:
            _check_unicode(line.text)
            turn = _turn(line, talk, index, said_at or self._now())
            self._read.append((value.place, turn, talk))
            talk.speakers |= {line.speaker: None} if line.speaker else {}
        talk.before.append(Message(role=line.role, text=line.text, id=line.id))
        talk.index, talk.said_at = index + 1, said_at

    def _now(self) -> datetime:
        return self.now + timedelta(microseconds=len(self._read))


def _turn(line: AnyLine, talk: _Talk, index: int, said_at: datetime) -> Turn:
    extra: dict[str, Any] = {} if line.id is None else {"id": line.id}
    before = tuple(talk.before)
    if isinstance(line, TurnLine):
        before = before if line.before is None else line.before
        extra |= {"participants": line.participants, "references": line.references}
    context = line.context.model_copy(update={"conversation": talk.name})
    return Turn(
        text=line.text,
        said_at=said_at,
        index=index,
        speaker=line.speaker,
        before=before,
        context=context,
        **extra,
    )


def _check_unicode(text: str) -> None:
    if any("\ud800" <= each <= "\udfff" for each in text):
        raise ValueError("the text is no Unicode text: it holds half a character (a surrogate)")


def _with_participants(turn: Turn, talk: _Talk) -> Turn:
    """Where several speak in a conversation, a turn that names none may be any one's."""
    if turn.speaker is not None or turn.participants or len(talk.speakers) < 2:
        return turn
    return turn.model_copy(update={"participants": tuple(talk.speakers)})


def why(error: ValueError) -> str:
    """What is wrong, in one line: of a shape the first field at fault."""
    if not isinstance(error, ValidationError):
        return str(error)
    fault = error.errors(include_url=False, include_context=False)[0]
    field_name = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        return _unknown_key(field_name)
    message = fault["msg"].removeprefix("Value error, ")
    return f"{field_name}: {message}" if field_name else message


def _unknown_key(name: str) -> str:
    place, _, key = name.rpartition(".")
    if place.rpartition(".")[2] == "context":
        known = ", ".join(Context.model_fields)
        return f"the context has an unknown key {key!r}; it knows {known}: others go in tags"
    known = ", ".join(TurnLine.model_fields)
    return f"unknown key {name!r}; a turn knows {known}"

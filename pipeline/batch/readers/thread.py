"""A conversation while it is read: each user message becomes a turn with those before it."""

from collections import deque
from datetime import datetime, timedelta

from pydantic import ValidationError

from ....schemas.context import Context
from ....schemas.turn import Message, Role, Turn
from ...errors import UnusableIdError
from ...stores.records import check_ids
from .machine import parted
from .options import ReadOptions
from .said import BadRecordError, Heard, Machine, Place, Said

_SHOWN_AS = {Machine.TOOL_RESULT: Role.TOOL, Machine.COMMAND: Role.TOOL}
"""How a machine's text stands before later turns; what is not here counts as system text."""


class Thread:
    """One conversation, heard message by message.

    Args:
        conversation: Its id.
        speaker: Who is the user in it.
        options: How much of it is kept before a turn, and what holds where it says nothing.
        context: Where it takes place.
    """

    def __init__(
        self, conversation: str, speaker: str, options: ReadOptions, context: Context | None = None
    ) -> None:
        self.conversation, self.speaker = conversation, speaker
        self.context = (context or Context()).model_copy(update={"conversation": conversation})
        self._options = options
        self._before: deque[Message] = deque(maxlen=options.preceding)
        self._index = 0
        self._last: datetime | None = None

    def hear(self, heard: Heard, place: Place, *, index: int | None = None) -> Said | None:
        """The turn, if the message has the user's role; else it is just one before the next.

        Raises:
            BadRecordError: If an id cannot be kept.
        """
        index = self._index if index is None else index
        self._index = index + 1
        if heard.role is not Role.USER:
            self._keep(heard.role, heard.text, heard.id)
            return None
        if heard.machine is None:
            own = parted(heard.text)
            heard = Heard(Role.USER, own.text, heard.said_at, heard.id, own.machine)
        said = self._said(heard, place, index)
        role = _SHOWN_AS.get(heard.machine, Role.SYSTEM) if heard.machine else Role.USER
        self._keep(role, heard.text, said.turn.id)
        return said

    def _keep(self, role: Role, text: str, id: str | None) -> None:
        """System messages may hold rules, and labels must not depend on those."""
        if text and role is not Role.SYSTEM:
            self._before.append(Message(role=role, text=text, id=id))

    def _said(self, heard: Heard, place: Place, index: int) -> Said:
        said_at = heard.said_at or self._last or self._undated(place)
        self._last = said_at
        fields = {
            "text": heard.text,
            "said_at": said_at.astimezone(self._options.zone),
            "index": index,
            "speaker": self.speaker,
            "before": tuple(self._before),
            "context": self.context,
        }
        if heard.id:
            fields["id"] = heard.id
        try:
            turn = Turn.model_validate(fields)
            check_ids([turn.id, self.conversation, self.speaker])
        except (ValidationError, UnusableIdError, OverflowError) as error:
            raise BadRecordError(str(error).split(". Nothing")[0]) from error
        return Said(turn=turn, speaker=self.speaker, place=place, machine=heard.machine)

    def _undated(self, place: Place) -> datetime:
        return self._options.undated + timedelta(milliseconds=place.line)

"""Files with one message a row: rows of one conversation follow each other's talk."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime

from .....schemas.context import Context
from .....schemas.turn import Message, Reference, Role
from ..options import ReadOptions
from ..said import Heard, Place, Said
from ..thread import Thread
from .base import stranger

_OPEN = 10_000
"""How many conversations are remembered at a time: memory stays bounded in a file of any size."""


@dataclass(frozen=True)
class Row:
    """One message, and where it belongs.

    Attributes:
        index: Its position in the conversation, where the row says.
        before: The messages before it, where the row has them with it.
    """

    text: str
    role: Role = Role.USER
    conversation: str | None = None
    speaker: str | None = None
    said_at: datetime | None = None
    id: str | None = None
    index: int | None = None
    context: Context | None = None
    before: tuple[Message, ...] | None = None
    references: tuple[Reference, ...] = ()


class Rows:
    """Remembers the conversations of one file while its rows are read."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._threads: OrderedDict[str, Thread] = OrderedDict()

    def said(self, row: Row, place: Place) -> Said | None:
        """The turn in the row, if it has the user's role."""
        conversation = row.conversation or row.id or str(place)
        thread = self._thread(conversation)
        thread.speaker = self._options.speaker or row.speaker or stranger(conversation)
        given = row.context or Context()
        thread.context = given.model_copy(update={"conversation": conversation})
        heard = Heard(row.role, row.text, row.said_at, row.id)
        said = thread.hear(heard, place, index=row.index)
        return said and replace(said, turn=said.turn.model_copy(update=_with_it(row)))

    def _thread(self, conversation: str) -> Thread:
        thread = self._threads.pop(conversation, None)
        if thread is None:
            thread = Thread(conversation, stranger(conversation), self._options)
        self._threads[conversation] = thread
        if len(self._threads) > _OPEN:
            self._threads.popitem(last=False)
        return thread


def _with_it(row: Row) -> dict[str, object]:
    """What a row brings along that else comes from the rows before it."""
    brought: dict[str, object] = {"references": row.references} if row.references else {}
    return brought if row.before is None else brought | {"before": row.before}

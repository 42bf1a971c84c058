"""Records as they are stored: JSON text that opens with the schema version it was written in."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from ...schemas.ledger import LedgerEntry
from ...schemas.plan import Plan, Question
from ...schemas.rule import Rule
from ...schemas.versions import SCHEMA_VERSION, NewerSchemaError, stamped, upcast
from ..errors import DamagedStoreError, NewerDatabaseError, UnusableIdError
from .protocol import PendingTurn, Position

T = TypeVar("T")

_TODAY = json.dumps(stamped({}), separators=(",", ":"))[:-1] + ","
"""How each record of today's version begins."""

_NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""What a database may refuse in a text: NUL, and lone surrogates."""


class RecordType(Generic[T]):
    """One type of record, to text and back; an older record is read in today's shape.

    Lone surrogates, which no UTF-8 text can hold, are kept as JSON escapes and come back as
    they were.
    """

    def __init__(self, name: str, shape: Any) -> None:
        self._name = name
        self._adapter: TypeAdapter[T] = TypeAdapter(shape)

    def dump(self, value: T) -> str:
        """The text to store."""
        try:
            body = self._adapter.dump_json(value).decode()
        except PydanticSerializationError:
            body = json.dumps(self._adapter.dump_python(value, mode="json"))
        return _TODAY + body[1:]

    def load(self, text: str, *, where: str) -> T:
        """The value that was stored; `where` names the store in errors.

        Raises:
            NewerDatabaseError: If a newer henceforth wrote the record.
            DamagedStoreError: If it is no such record.
        """
        if text.startswith(_TODAY):
            try:
                return self._adapter.validate_json("{" + text[len(_TODAY) :])
            except ValidationError:
                pass  # lone surrogates, or damage: the slow way tells which
        try:
            return self._adapter.validate_python(upcast(json.loads(text)))
        except NewerSchemaError as error:
            found, known = f"schema version {error.found}", f"schema version {SCHEMA_VERSION}"
            raise NewerDatabaseError(where=where, found=found, known=known) from error
        except (ValueError, TypeError, AttributeError) as error:
            raise DamagedStoreError(where=where, record=self._name) from error


ENTRY: RecordType[LedgerEntry] = RecordType("ledger entry", LedgerEntry)
PLAN: RecordType[Plan] = RecordType("plan", Plan)
RULE: RecordType[Rule] = RecordType("rule", Rule)
QUESTION: RecordType[Question] = RecordType("question", Question)
HEAD: RecordType[Position] = RecordType("head", Position)
PENDING: RecordType[PendingTurn] = RecordType("pending turn", PendingTurn)


def check_ids(ids: Iterable[str]) -> None:
    """Refuse ids that not every database can keep, before anything is read or written.

    Raises:
        UnusableIdError: If one is empty, or holds a NUL character or a lone surrogate.
    """
    for each in ids:
        if not each or _NO_TEXT.search(each):
            raise UnusableIdError(id=each)


def oldest_first(waiting: Iterable[PendingTurn]) -> Sequence[PendingTurn]:
    """The waiting turns by the time they began to wait; those of one time in said order."""

    def age(each: PendingTurn) -> Any:
        return (each.since, each.turn.said_at, each.turn.index, each.subject, each.turn.id)

    return tuple(sorted(waiting, key=age))

"""henceforth's own JSON lines, as `henceforth apply` reads them: a turn or a message a line."""

from collections.abc import Iterator

from .....schemas.turn import Message, Role
from ....transcripts.forms import TurnLine, read_form
from ....transcripts.turns import why
from ..fields import Fields
from ..options import ReadOptions
from ..said import BadRecordError, Raw, Said
from .base import Format, Handler
from .rows import Row, Rows

_NAMES = frozenset({"user", "timestamp", "created_at", "created"}.union(TurnLine.model_fields))
_TELLING = {"role", "said_at", "speaker", "context", "before", "participants", "index"}
"""A line that has a text and none of these may as well be a row of any table."""


def _matches(given: Fields) -> bool:
    is_known = isinstance(given.get("text"), str) and given.keys() <= _NAMES
    return is_known and bool(_TELLING & given.keys())


def _handler(options: ReadOptions) -> Handler:
    rows = Rows(options)

    def turns(raw: Raw) -> Iterator[Said]:
        said = rows.said(_row(raw, options), raw.place)
        if said is not None:
            yield said

    return turns


def _row(raw: Raw, options: ReadOptions) -> Row:
    try:
        line = read_form(raw.value, zone=options.zone)
    except ValueError as error:
        raise BadRecordError(why(error)) from error
    if not isinstance(line, TurnLine):
        raise BadRecordError("the line is no turn and no message with a `text`")
    return Row(
        text=line.text,
        role=line.role,
        conversation=line.conversation or line.context.conversation,
        speaker=line.speaker or (line.participants[0] if len(line.participants) == 1 else None),
        said_at=line.said_at,
        id=line.id,
        index=line.index,
        context=line.context,
        before=None if line.before is None else _kept(line.before, options),
        references=line.references,
    )


def _kept(before: tuple[Message, ...], options: ReadOptions) -> tuple[Message, ...]:
    heard = [each for each in before if each.role is not Role.SYSTEM]
    return tuple(heard[max(len(heard) - options.preceding, 0) :])


FORMAT = Format("henceforth", _matches, _handler)

"""henceforth's own JSON lines: a whole turn a line, or one message of a conversation a line."""

from collections.abc import Iterator

from pydantic import ValidationError

from .....schemas.context import Context
from .....schemas.turn import Role, Turn
from ..fields import Fields, fields, first, flat, moment
from ..machine import parted
from ..options import ReadOptions
from ..said import BadRecordError, Raw, Said
from .base import Format, Handler, role_of, stranger
from .rows import Row, Rows

_TURN = frozenset(Turn.model_fields)
_MESSAGE = {"role", "text", "id", "conversation", "speaker", "said_at", "index", "context"}


def _matches(given: Fields) -> bool:
    return isinstance(given.get("text"), str) and (
        ("said_at" in given and given.keys() <= _TURN)
        or ("role" in given and given.keys() <= _MESSAGE)
    )


def _handler(options: ReadOptions) -> Handler:
    rows = Rows(options)

    def turns(raw: Raw) -> Iterator[Said]:
        given = fields(raw.value)
        if "role" not in given:
            yield _turn(given, raw, options)
        elif (said := rows.said(_row(given), raw.place)) is not None:
            yield said

    return turns


def _turn(given: Fields, raw: Raw, options: ReadOptions) -> Said:
    try:
        turn = Turn.model_validate({"id": str(raw.place), **given})
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise BadRecordError(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}") from error
    conversation = turn.context.conversation or turn.id
    speaker = options.speaker or turn.speaker or _unnamed(turn) or stranger(conversation)
    own = parted(turn.text)
    turn = turn.model_copy(update={"text": own.text, "before": _kept(turn, options)})
    return Said(turn=turn, speaker=speaker, place=raw.place, machine=own.machine)


def _kept(turn: Turn, options: ReadOptions) -> tuple[object, ...]:
    heard = [each for each in turn.before if each.role is not Role.SYSTEM]
    return tuple(heard[max(len(heard) - options.preceding, 0) :])


def _unnamed(turn: Turn) -> str | None:
    """The sole participant, where no speaker is named."""
    return turn.participants[0] if len(turn.participants) == 1 else None


def _row(given: Fields) -> Row:
    index = given.get("index")
    try:
        context = Context.model_validate(given.get("context") or {})
    except ValidationError as error:
        raise BadRecordError(f"`context` is none: {error.errors()[0]['msg']}") from error
    return Row(
        text=flat(given.get("text")),
        role=role_of(given.get("role")),
        conversation=first(given, "conversation") or context.conversation,
        speaker=first(given, "speaker"),
        said_at=moment(given.get("said_at")),
        id=first(given, "id"),
        index=index if isinstance(index, int) else None,
        context=context,
    )


FORMAT = Format("henceforth", _matches, _handler)

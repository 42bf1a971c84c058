"""Tables, CSV or Parquet: one message a row, in columns that are named or known by name."""

from collections.abc import Iterator, Mapping

from .....schemas.context import Context
from .....schemas.turn import Role
from ..fields import Fields, fields, first, flat, moment
from ..options import ReadOptions
from ..said import BadRecordError, Raw, Said
from .base import Format, Handler, role_of
from .rows import Row, Rows

_KNOWN: Mapping[str, tuple[str, ...]] = {
    "text": ("text", "message", "content", "prompt", "body", "utterance"),
    "role": ("role", "author_role", "sender_type"),
    "speaker": ("speaker", "user", "user_id", "username", "author", "from"),
    "conversation": ("conversation", "conversation_id", "session_id", "thread_id", "chat_id"),
    "said_at": ("said_at", "timestamp", "created_at", "time", "date", "sent_at"),
    "id": ("id", "message_id", "turn_id"),
    "index": ("index", "turn_index", "position"),
    "project": ("project",),
    "repository": ("repository", "repo"),
    "workspace": ("workspace", "channel"),
    "branch": ("branch",),
    "file": ("file",),
}
"""By field, the names of columns that are understood without being told."""

COLUMN_FIELDS = tuple(_KNOWN)
"""The fields that a column can be named for."""

_PLACES = ("project", "repository", "workspace", "branch", "file")


def _matches(given: Fields) -> bool:
    names = {name.casefold() for name in given}
    return any(name in names for name in _KNOWN["text"]) and not any(
        isinstance(value, dict | list) for value in given.values()
    )


def _handler(options: ReadOptions) -> Handler:
    rows = Rows(options)

    def turns(raw: Raw) -> Iterator[Said]:
        said = rows.said(_row(fields(raw.value), options.columns), raw.place)
        if said is not None:
            yield said

    return turns


def _row(given: Fields, columns: Mapping[str, str]) -> Row:
    plain = {name.casefold(): value for name, value in given.items()}

    def cell(field: str) -> object:
        if field in columns:
            if columns[field] not in given:
                raise BadRecordError(f"there is no column {columns[field]!r}")
            return given[columns[field]]
        return next((plain[name] for name in _KNOWN[field] if name in plain), None)

    cells = {field: cell(field) for field in _KNOWN}
    if cells["text"] is None:
        raise BadRecordError("there is no text in the row")
    return Row(
        text=flat(cells["text"]),
        role=role_of(cells["role"]) if cells["role"] else Role.USER,
        conversation=first(cells, "conversation"),
        speaker=first(cells, "speaker"),
        said_at=moment(cells["said_at"]),
        id=first(cells, "id"),
        index=_number(cells["index"]),
        context=Context.model_validate({name: first(cells, name) for name in _PLACES}),
    )


def _number(value: object) -> int | None:
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) else None


FORMAT = Format("table", _matches, _handler)

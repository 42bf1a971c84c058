"""Look into foreign JSON without believing it: each look says what it got. Pure."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import TypeAlias, cast

from .said import BadRecordError

Fields: TypeAlias = Mapping[str, object]

_NOTHING: Fields = {}
_MILLISECONDS = 1e11
"""Numbers beyond this count milliseconds: as seconds they would lie past the year 5000."""
_MICROSECONDS = 1e14
_NANOSECONDS = 1e17


def fields(value: object) -> Fields:
    """The object, or an empty one for anything else."""
    return cast("Fields", value) if isinstance(value, Mapping) else _NOTHING


def items(value: object) -> Sequence[object]:
    """The list, or an empty one for anything else."""
    return cast("Sequence[object]", value) if isinstance(value, list | tuple) else ()


def text(value: object) -> str | None:
    """The text, or a whole number as text; None for anything else and for an empty text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None


def first(given: Fields, *names: str) -> str | None:
    """The first of the named fields that holds a text."""
    return next((found for name in names if (found := text(given.get(name)))), None)


def flat(content: object) -> str:
    """The text of a message: a string, or the text parts of a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        return flat(fields(cast("object", content)).get("text"))
    return "\n".join(filter(None, (flat(part) for part in items(content))))


def moment(value: object) -> datetime | None:
    """The time in any of the forms that logs use; without a zone it is UTC.

    Raises:
        BadRecordError: If something is given that is no time.
    """
    if value is None or value == "":
        return None
    try:
        found = _moment(value)
    except (ValueError, OverflowError, OSError):
        found = None
    if found is None:
        raise BadRecordError(f"{value!r} is no time")
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _moment(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    if isinstance(value, str) and not value.replace(".", "", 1).isdigit():
        return datetime.fromisoformat(value.strip().removesuffix(" UTC"))
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        return datetime.fromtimestamp(_seconds(float(value)), UTC)
    return None


def _seconds(number: float) -> float:
    for least, unit in ((_NANOSECONDS, 1e9), (_MICROSECONDS, 1e6), (_MILLISECONDS, 1e3)):
        if abs(number) >= least:
            return number / unit
    return number

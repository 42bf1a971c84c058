"""When something was said: an ISO time or seconds since 1970; a missing zone is the settings'."""

from datetime import UTC, datetime
from typing import Annotated, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator, ValidationInfo


def _said_at(value: object, info: ValidationInfo) -> datetime | None:
    if value is None:
        return None
    given: dict[str, ZoneInfo] = info.context or {}
    zone = given.get("zone") or ZoneInfo("UTC")
    try:
        return _time(value, zone)
    except (ValueError, OverflowError, OSError) as error:
        raise ValueError(
            f"{value!r} is no time: write 2026-03-14T09:30+01:00, or seconds since 1970"
        ) from error


def _time(value: object, zone: ZoneInfo) -> datetime:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(value)
    if isinstance(value, int | float):
        return datetime.fromtimestamp(value, UTC).astimezone(zone)
    said = datetime.fromisoformat(value)
    return said if said.tzinfo else said.replace(tzinfo=zone)


SaidAt: TypeAlias = Annotated[datetime | None, BeforeValidator(_said_at)]
"""A time with its zone; the zone of the validation context where it comes without one."""

"""Times as people write them on a command line, with the zone of the settings where none is."""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

import click


def end_of(text: str, zone: ZoneInfo, *, option: str) -> datetime:
    """The time; a day alone means its last moment.

    Raises:
        click.BadParameter: If it is neither a day nor a time.
    """
    return _given(text, zone, time.max, option)


def start_of(text: str, zone: ZoneInfo, *, option: str) -> datetime:
    """The time; a day alone means its first moment.

    Raises:
        click.BadParameter: If it is neither a day nor a time.
    """
    return _given(text, zone, time.min, option)


def _given(text: str, zone: ZoneInfo, of_day: time, option: str) -> datetime:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return _moment(text, zone, option)
    return datetime.combine(day, of_day, zone)


def _moment(text: str, zone: ZoneInfo, option: str) -> datetime:
    try:
        said = datetime.fromisoformat(text)
    except ValueError as error:
        raise click.BadParameter(
            f"{text!r} is no time: write 2026-03-14, or 2026-03-14T09:30+01:00",
            param_hint=option,
        ) from error
    return said if said.tzinfo else said.replace(tzinfo=zone)

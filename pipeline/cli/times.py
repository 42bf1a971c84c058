"""Times as people write them on a command line, with the zone of the settings where none is."""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

import click


def time_given(text: str, zone: ZoneInfo, *, option: str) -> datetime:
    """The time; a day alone means its last moment, a time without a zone that of the settings.

    Raises:
        click.BadParameter: If it is neither a day nor a time.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return _moment(text, zone, option)
    return datetime.combine(day, time.max, zone)


def _moment(text: str, zone: ZoneInfo, option: str) -> datetime:
    try:
        said = datetime.fromisoformat(text)
    except ValueError as error:
        raise click.BadParameter(
            f"{text!r} is no time: write 2026-03-14, or 2026-03-14T09:30+01:00",
            param_hint=option,
        ) from error
    return said if said.tzinfo else said.replace(tzinfo=zone)

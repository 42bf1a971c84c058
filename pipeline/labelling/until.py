"""Read until when a rule holds: a day, counted from the local day of the turn, or words. Pure."""

import re
from calendar import monthrange
from datetime import date, timedelta

from ...schemas.scope import PERMANENT

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAYS = {"today": 0, "tomorrow": 1}


def until_of(written: str | None, day: date) -> date | str | None:
    """The last day, where it can be counted; otherwise the words, as an event to wait for.

    Reads `2026-05-31`, `05-31`, `today`, `tomorrow`, `+3d`, `+2w`, `+1m`, `fri`, `end-of-week`,
    `end-of-month`, `end-of-year`, `permanent`. A weekday is the next one, never the day itself.
    """
    text = (written or "").strip()
    key = text.casefold().replace(" ", "-")
    if not key or key == PERMANENT:
        return key or None
    if key in _DAYS:
        return day + timedelta(days=_DAYS[key])
    if key in _WEEKDAYS:
        return day + timedelta(days=(_WEEKDAYS.index(key) - day.weekday() - 1) % 7 + 1)
    return _counted(key, day) or _end_of(key, day) or _calendar_day(key, day) or text


def _counted(key: str, day: date) -> date | None:
    found = re.fullmatch(r"\+(\d{1,4})([dwm])", key)
    if found is None:
        return None
    number, unit = int(found[1]), found[2]
    if unit == "m":
        year, month = divmod(day.year * 12 + day.month - 1 + number, 12)
        return _clamped(year, month + 1, day.day)
    return day + timedelta(days=number * (7 if unit == "w" else 1))


def _end_of(key: str, day: date) -> date | None:
    if key == "end-of-week":
        return day + timedelta(days=6 - day.weekday())
    if key == "end-of-month":
        return _clamped(day.year, day.month, 31)
    return date(day.year, 12, 31) if key == "end-of-year" else None


def _calendar_day(key: str, day: date) -> date | None:
    """A full date, or the next day of that name; None for one that no calendar has."""
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", key):
            return date.fromisoformat(key)
        found = re.fullmatch(r"(\d{2})-(\d{2})", key)
        if found is None:
            return None
        this_year = date(day.year, int(found[1]), int(found[2]))
        return this_year if this_year >= day else this_year.replace(year=day.year + 1)
    except ValueError:
        return None


def _clamped(year: int, month: int, day: int) -> date:
    return date(year, month, min(day, monthrange(year, month)[1]))

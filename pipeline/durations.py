"""Read a length of time as people write it: `90s`, `30m`, `12h`, `7d`, `2w`."""

import re
from datetime import timedelta

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def duration(value: object) -> object:
    """Read `7d` as a length of time, `0` as none; leave everything else to pydantic.

    Raises:
        ValueError: If a text is none of these.
    """
    if not isinstance(value, str):
        return value
    text = value.strip().casefold()
    if text == "0":
        return timedelta()
    found = re.fullmatch(r"(\d{1,6})\s*([smhdw])", text)
    if found is None:
        raise ValueError("a number with s, m, h, d or w, such as 30m, 12h or 7d")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})

"""Days are counted from the local day of the turn; everything else is an event in words."""

from datetime import date

import pytest

from henceforth.pipeline.labelling.until import until_of

MONDAY = date(2026, 5, 4)

DAYS = {
    "2026-05-31": date(2026, 5, 31),
    "05-31": date(2026, 5, 31),
    "05-04": MONDAY,
    "04-30": date(2027, 4, 30),
    "today": MONDAY,
    "Tomorrow": date(2026, 5, 5),
    "+3d": date(2026, 5, 7),
    "+2w": date(2026, 5, 18),
    "+1m": date(2026, 6, 4),
    "+10m": date(2027, 3, 4),
    "fri": date(2026, 5, 8),
    "mon": date(2026, 5, 11),
    "end of week": date(2026, 5, 10),
    "end-of-month": date(2026, 5, 31),
    "end-of-year": date(2026, 12, 31),
}


@pytest.mark.parametrize(("written", "day"), DAYS.items(), ids=DAYS)
def test_a_day_is_counted(written: str, day: date) -> None:
    assert until_of(written, MONDAY) == day


WORDS = ["the release", "2026-02-30", "02-30", "konec postu", "+3", "friday's demo"]


@pytest.mark.parametrize("written", WORDS)
def test_what_is_no_day_stays_in_its_words(written: str) -> None:
    assert until_of(written, MONDAY) == written


def test_a_month_without_that_day_ends_on_its_last() -> None:
    assert until_of("+1m", date(2026, 1, 31)) == date(2026, 2, 28)


def test_for_good_is_kept_as_such_and_nothing_is_nothing() -> None:
    assert until_of("permanent", MONDAY) == "permanent"
    assert until_of("  ", MONDAY) is None
    assert until_of(None, MONDAY) is None


def test_a_leap_day_that_has_passed_is_left_in_its_words() -> None:
    assert until_of("02-29", date(2028, 3, 1)) == "02-29"

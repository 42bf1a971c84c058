"""What is tried again, how often, how long, and how long the endpoint is left alone."""

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from henceforth.pipeline.labelling.retries import (
    Limits,
    no_waits,
    parse_retry_after,
    tried,
    wait_asked,
    watching,
)

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


class Response:
    def __init__(self, retry_after: str | None) -> None:
        self.headers = {"retry-after": retry_after} if retry_after else {}


class PassingError(Exception):
    def __init__(self, retry_after: str | None = None) -> None:
        self.response = Response(retry_after)


class Call:
    """Fails with the errors in turn, then succeeds."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.count = 0

    async def __call__(self) -> str:
        self.count += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


def passing(error: BaseException) -> bool:
    return isinstance(error, PassingError)


RETRY_AFTER = {
    "seconds": ("12", 12.0),
    "a fraction": ("0.5", 0.5),
    "a date": (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90.0),
    "a date in the past": (format_datetime(NOW - timedelta(hours=1), usegmt=True), 0.0),
    "a negative number": ("-3", 0.0),
    "nonsense": ("soon", None),
    "infinity": ("inf", None),
    "not a number": ("nan", None),
}


@pytest.mark.parametrize(("text", "seconds"), RETRY_AFTER.values(), ids=RETRY_AFTER)
def test_retry_after_is_read_in_both_forms(text: str, seconds: float | None) -> None:
    assert parse_retry_after(text, now=NOW) == seconds


def test_an_error_without_a_response_asks_for_no_wait() -> None:
    assert wait_asked(ValueError("no response here")) is None


async def test_a_wait_that_is_asked_for_is_kept_in_full() -> None:
    call = Call(PassingError("1"))
    started = time.monotonic()

    result = await tried(call, Limits(attempts=2, seconds=10), transient=passing)

    assert result == "done"
    assert time.monotonic() - started >= 1.0


async def test_a_wait_longer_than_the_time_left_ends_the_tries_at_once() -> None:
    call = Call(PassingError("60"))
    started = time.monotonic()

    with pytest.raises(PassingError):
        await tried(call, Limits(attempts=5, seconds=5), transient=passing)

    assert call.count == 1
    assert time.monotonic() - started < 1.0


async def test_attempts_are_bounded_and_the_last_failure_is_raised() -> None:
    errors = [PassingError(), PassingError(), PassingError()]
    call = Call(*errors)

    with no_waits(), pytest.raises(PassingError) as caught:
        await tried(call, Limits(attempts=2, seconds=10), transient=passing)

    assert call.count == 2
    assert caught.value is errors[1]


async def test_what_is_not_on_the_list_is_not_tried_again() -> None:
    call = Call(KeyError("a fault of ours"))

    with no_waits(), pytest.raises(KeyError):
        await tried(call, Limits(attempts=5, seconds=10), transient=passing)

    assert call.count == 1


async def test_who_watches_is_told_of_each_failure_that_is_tried_again() -> None:
    heard: list[str] = []
    tries = iter([ConnectionError("first"), ConnectionError("second"), None])

    async def call() -> str:
        if (error := next(tries)) is not None:
            raise error
        return "done"

    with no_waits(), watching(lambda error: heard.append(str(error))):
        done = await tried(call, Limits(attempts=5, seconds=5), transient=lambda error: True)

    assert (done, heard) == ("done", ["first", "second"])

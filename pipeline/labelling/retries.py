"""Which failures of a model are tried again, how often and how long: a thin coat over tenacity."""

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, TypeVar

from ...schemas.base import Shape

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")

LONGEST_WAIT = 30.0
"""Seconds between two tries, unless the endpoint asks for more."""

_waits: ContextVar[bool] = ContextVar("henceforth_waits", default=True)

_watch: ContextVar[Callable[[BaseException], None] | None] = ContextVar(
    "henceforth_failed_tries", default=None
)


@contextmanager
def watching(failed: Callable[[BaseException], None]) -> Generator[None]:
    """Be told of each failure inside after which the same is tried again."""
    token = _watch.set(failed)
    try:
        yield
    finally:
        _watch.reset(token)


class Limits(Shape):
    """How often a call is tried, and how many seconds all tries and waits may take together."""

    attempts: int
    seconds: float


@contextmanager
def no_waits() -> Generator[None]:
    """Drop the waits between tries, for tests; what is tried, and how often, stays."""
    token = _waits.set(False)
    try:
        yield
    finally:
        _waits.reset(token)


async def tried(
    call: Callable[[], Awaitable[T]], limits: Limits, *, transient: Callable[[BaseException], bool]
) -> T:
    """Call until it succeeds, fails for good, or the limits are reached; raise the last failure.

    A wait that the endpoint asks for (`Retry-After`) is kept in full; one that does not fit into
    the time that is left ends the tries at once.
    """
    import anyio
    from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, stop_before_delay

    retrying = AsyncRetrying(
        stop=stop_after_attempt(limits.attempts) | stop_before_delay(limits.seconds),
        wait=_Wait(),
        retry=retry_if_exception(transient),
        sleep=anyio.sleep,
        before_sleep=_tell,
        reraise=True,
    )
    return await retrying(call)


def _tell(state: "RetryCallState") -> None:
    error = state.outcome.exception() if state.outcome else None
    if (watch := _watch.get()) is not None and error is not None:
        watch(error)


class _Wait:
    """Exponential with jitter, or longer where the endpoint asks for it."""

    def __init__(self) -> None:
        from tenacity import wait_random_exponential

        self._backoff = wait_random_exponential(multiplier=0.5, max=LONGEST_WAIT)

    def __call__(self, state: "RetryCallState") -> float:
        if not _waits.get():
            return 0.0
        error = state.outcome.exception() if state.outcome else None
        return max(self._backoff(state), wait_asked(error) or 0.0)


def wait_asked(error: BaseException | None) -> float | None:
    """The seconds that the endpoint asks to wait, from `Retry-After` in either of its forms."""
    headers: Any = getattr(getattr(error, "response", None), "headers", None)
    asked = str(headers.get("retry-after") or "").strip() if headers else ""
    return parse_retry_after(asked, now=datetime.now(UTC)) if asked else None


def parse_retry_after(text: str, *, now: datetime) -> float | None:
    """Read seconds or an HTTP date as seconds from now; None for neither, 0 for the past."""
    try:
        seconds = float(text)
    except ValueError:
        try:
            day = parsedate_to_datetime(text)
        except ValueError:
            return None
        seconds = (day.replace(tzinfo=day.tzinfo or UTC) - now).total_seconds()
    return max(seconds, 0.0) if seconds < float("inf") else None

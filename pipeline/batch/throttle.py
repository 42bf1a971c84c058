"""How many requests may be under way: as many as allowed, fewer once the endpoint objects."""

from collections import deque

from anyio import Event, sleep

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 60.0


class Throttle:
    """Lets so many through at a time; halves on a rate limit and grows back one by one.

    Of the requests that were under way when it halved, only one halves it: they all hit the same
    limit. Growth is by one in the time that as many requests take as are let through.

    Args:
        most: The most that may be under way.
        wait: Seconds before a refused turn is tried again, doubled each time.
    """

    def __init__(self, most: int, *, wait: float = _FIRST_WAIT) -> None:
        self._most, self._wait = most, wait
        self._limit = float(most)
        self._used = self._started = self._halved_after = 0
        self._waiting: deque[Event] = deque()

    @property
    def limit(self) -> int:
        """How many are let through just now."""
        return max(int(self._limit), 1)

    @property
    def used(self) -> int:
        """How many are under way."""
        return self._used

    async def take(self, *, again: bool = False) -> int:
        """Wait for a place; the number it gives is to be shown when the endpoint objects.

        Args:
            again: Whether this was refused before: then it goes before those that were not.
        """
        if self._used >= self.limit or (self._waiting and not again):
            event = Event()
            (self._waiting.appendleft if again else self._waiting.append)(event)
            await event.wait()
        else:
            self._used += 1
        self._started += 1
        return self._started

    def give(self, *, answered: bool) -> None:
        """Give the place back."""
        self._used -= 1
        if answered:
            self._limit = min(self._limit + 1 / self._limit, self._most)
        self._let_in()

    def objected(self, ticket: int) -> None:
        """The endpoint said that it is too much; the ticket is what `take` gave."""
        if ticket > self._halved_after:
            self._limit = max(self._limit / 2, 1.0)
            self._halved_after = self._started

    async def pause(self, tries: int, asked: float | None = None) -> None:
        """Wait before a try anew: twice as long each time, or as long as the endpoint asks."""
        own = min(self._wait * 2 ** (tries - 1), _LONGEST_WAIT)
        await sleep(max(own, asked or 0.0))

    def _let_in(self) -> None:
        while self._waiting and self._used < self.limit:
            self._used += 1
            self._waiting.popleft().set()

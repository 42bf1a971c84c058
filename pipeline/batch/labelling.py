"""Label turns, many at a time and each once; rows come out in the order the turns came in."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import cast

from anyio import Event, create_task_group
from anyio.abc import TaskGroup
from anyio.lowlevel import checkpoint

from ...schemas.outcome import Labelled
from ..errors import LabelError, ModelGoneError, ModelRefusedError, ModelUnavailableError
from ..intake import Labeller
from ..labelling.retries import wait_asked, watching
from .cache import Cached, LabelCache
from .language import language_of
from .readers import Reject, Said
from .recipe import Recipe
from .row import LabelRow, RowStatus, bare_row, labelled_row
from .spending import Spending
from .throttle import Throttle

AHEAD = 4096
"""Turns that may be read before the first unfinished one: what memory holds at most."""

GIVE_UP_AFTER = 20
"""So many turns in a row without an answer mean that the model is not there."""

PATIENCE = 10
"""How often a turn is tried that the endpoint refuses for its rate limit."""

_BREATH = 32
"""Turns without a request after which those under way get a moment of the processor."""


class Stopped(StrEnum):
    """Why a run ended before its input did."""

    BUDGET = "the budget is spent"
    INTERRUPTED = "interrupted"


@dataclass
class Counts:
    """How many turns there were, and of what kind.

    Attributes:
        cached: Those that were paid for before, or asked for by an equal turn of the run.
    """

    turns: int = 0
    machine: int = 0
    cached: int = 0
    failed: int = 0
    rejected: int = 0


@dataclass
class _Flight:
    """One request under way, and all turns that wait for it."""

    landed: Event = field(default_factory=Event)
    cached: Cached | None = None
    failure: str | None = None


@dataclass
class _Slot:
    """The place of one turn in the order of rows."""

    said: Said
    row: LabelRow | None = None
    flight: _Flight | None = None


@dataclass
class Labelling:
    """One run over turns.

    Attributes:
        labeller: What labels a turn.
        cache: Where labels that are paid for are kept.
        recipe: What the labels depend on besides the turn.
        throttle: How many requests may be under way.
        spending: What they cost.
        tenant: The tenant of all subjects.
        each: Told of every row, in the order the turns came in.
        rejected: Told of every record that could not be read.
    """

    labeller: Labeller
    cache: LabelCache
    recipe: Recipe
    throttle: Throttle
    spending: Spending
    tenant: str
    each: Callable[[LabelRow], None]
    rejected: Callable[[Reject], None]
    counts: Counts = field(default_factory=Counts)
    stopped: Stopped | None = None
    _slots: deque[_Slot] = field(default_factory=deque[_Slot])
    _flights: dict[bytes, _Flight] = field(default_factory=dict[bytes, _Flight])
    _unanswered: int = 0

    async def run(self, given: Iterable[Said | Reject]) -> Stopped | None:
        """Label the turns; what was finished before the run ends, however it ends, is kept.

        Returns:
            Why it stopped early; None when all turns have their row.

        Raises:
            ModelGoneError: If many turns in a row got no answer.
            BudgetError: If the budget is money and the price is not known.
            StoreUnavailableError: If labels cannot be kept.
        """
        try:
            async with create_task_group() as group:
                await self._all(given, group)
        except BaseExceptionGroup as errors:
            raise first_of(errors) from None
        return self.stopped

    async def _all(self, given: Iterable[Said | Reject], group: TaskGroup) -> None:
        for number, item in enumerate(given):
            if isinstance(item, Reject):
                self.counts.rejected += 1
                self.rejected(item)
                continue
            if self.stopped or not await self._take(item, group):
                break
            await self._flush(AHEAD)
            if number % _BREATH == 0:
                await checkpoint()
        await self._flush(0)

    def stop(self) -> None:
        """Begin no further request; those under way are finished and kept."""
        self.stopped = self.stopped or Stopped.INTERRUPTED

    async def _take(self, said: Said, group: TaskGroup) -> bool:
        """Give the turn its slot; False when it would need a request and none may be made."""
        if said.machine is not None:
            row = bare_row(said, RowStatus.MACHINE, tenant=self.tenant, why=said.machine.value)
            self.counts.machine += 1
            self._slots.append(_Slot(said, row))
            return True
        key = self.recipe.key(said.turn)
        if (flight := self._flights.get(key)) is not None:
            self.counts.cached += 1
            self._slots.append(_Slot(said, flight=flight))
        elif (cached := self.cache.get(key)) is not None:
            self.counts.cached += 1
            self._slots.append(_Slot(said, self._row(said, cached)))
        elif not await self._depart(said, key, group):
            return False
        return True

    async def _depart(self, said: Said, key: bytes, group: TaskGroup) -> bool:
        while not self.stopped and not self.spending.allows_another(len(self._flights)):
            if not self._flights:
                self.stopped = Stopped.BUDGET
            else:
                await next(iter(self._flights.values())).landed.wait()
        ticket = 0 if self.stopped else await self.throttle.take()
        if self.stopped:
            if ticket:
                self.throttle.give(answered=False)
            return False
        flight = self._flights[key] = _Flight()
        self._slots.append(_Slot(said, flight=flight))
        group.start_soon(self._fly, said, key, flight, ticket)
        return True

    async def _fly(self, said: Said, key: bytes, flight: _Flight, ticket: int) -> None:
        try:
            labelled = await self._labelled(said, ticket)
        except LabelError as error:
            flight.failure = str(error)
            self._count_unanswered(error)
        else:
            self._unanswered = 0
            flight.cached = Cached(labelled=labelled, language=language_of(said.turn.text))
            self.cache.put(key, flight.cached)
            self.spending.add(labelled.usage)
        finally:
            del self._flights[key]
            self.throttle.give(answered=flight.failure is None)
            flight.landed.set()

    async def _labelled(self, said: Said, ticket: int) -> Labelled:
        """The labels; while the endpoint objects to the rate, they are asked for again."""
        for tries in range(1, PATIENCE):
            try:
                return await self._asked(said, ticket)
            except ModelUnavailableError as error:
                limit = rate_limit_in(error)
                if limit is None:
                    raise
                self.throttle.objected(ticket)
                self.throttle.give(answered=False)
                try:
                    await self.throttle.pause(tries, wait_asked(limit))
                finally:
                    ticket = await self.throttle.take(again=True)
        return await self._asked(said, ticket)

    async def _asked(self, said: Said, ticket: int) -> Labelled:
        """Ask; what the labeller itself tries again tells of the limit, too."""

        def failed(error: BaseException) -> None:
            if rate_limit_in(error) is not None:
                self.throttle.objected(ticket)

        with watching(failed):
            return await self.labeller.label(said.turn)

    def _count_unanswered(self, error: LabelError) -> None:
        if not isinstance(error, ModelUnavailableError | ModelRefusedError):
            return
        self._unanswered += 1
        if self._unanswered >= GIVE_UP_AFTER:
            raise ModelGoneError(
                model=error.model, turns=self._unanswered, why=error.why
            ) from error

    async def _flush(self, most: int) -> None:
        """Hand on the rows that are finished, and wait until no more than so many are left."""
        while self._slots:
            slot = self._slots[0]
            if slot.flight is not None and not slot.flight.landed.is_set():
                if len(self._slots) <= most:
                    return
                await slot.flight.landed.wait()
            self._slots.popleft()
            self.counts.turns += 1
            self.each(slot.row or self._landed(slot))

    def _landed(self, slot: _Slot) -> LabelRow:
        flight = slot.flight or _Flight()
        if flight.cached is not None:
            return self._row(slot.said, flight.cached)
        self.counts.failed += 1
        return bare_row(slot.said, RowStatus.FAILED, tenant=self.tenant, why=flight.failure)

    def _row(self, said: Said, cached: Cached) -> LabelRow:
        return labelled_row(said, cached.labelled, tenant=self.tenant, language=cached.language)


def rate_limit_in(error: BaseException) -> BaseException | None:
    """The refusal for the rate of requests that is behind the error, if there is one."""
    cause: BaseException | None = error
    while cause is not None:
        if getattr(cause, "status_code", None) == 429:
            return cause
        cause = cause.__cause__ or cause.__context__
    return None


def first_of(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first of the errors that ended the run: the others followed from the same cause."""
    first = errors.exceptions[0]
    while isinstance(first, BaseExceptionGroup):
        first = cast("BaseException", first.exceptions[0])
    return first

"""Labels the turns that wait, of all subjects of a store; as many workers as one likes."""

import logging
from collections.abc import Callable
from datetime import timedelta

import anyio
from anyio import to_thread

from .errors import HenceforthError, StoreError
from .hosting import Host
from .stores.protocol import PendingTurn

_LOG = logging.getLogger(__name__)

MARGIN = timedelta(seconds=60)
"""How much longer than labelling may take a turn stays this worker's."""


class Worker:
    """Takes turns that are due, labels them, and puts back what fails.

    A turn is one worker's for as long as labelling may take: when the worker dies, it is due again
    then. Should two label one turn after all, it still counts once.

    Args:
        host: Whose store and labeller are used.
        poll: Seconds between two looks when nothing is due.
        told: Told of each turn by its id and what became of it.
    """

    def __init__(
        self,
        host: Host,
        *,
        poll: float = 2.0,
        told: Callable[[PendingTurn, str], None] | None = None,
    ) -> None:
        self._host, self._poll, self._told = host, poll, told

    async def run(self) -> None:
        """Work until cancelled; a store that is away is waited for."""
        while True:
            try:
                found = await self.work()
            except StoreError as error:
                _LOG.warning("the store is away: %s", type(error).__name__)
                found = 0
            if not found:
                await anyio.sleep(self._poll)

    async def drain(self) -> int:
        """Work until nothing is due; how many turns were tried."""
        tried = 0
        while found := await self.work():
            tried += found
        return tried

    async def work(self) -> int:
        """Try the turns that are due now, as many at a time as the model is asked; how many.

        Raises:
            StoreError: If the store cannot be used; what was taken is due again later.
        """
        taken = await self._lease()
        async with anyio.create_task_group() as group:
            for each in taken:
                group.start_soon(self._try, each)
        return len(taken)

    async def _lease(self) -> tuple[PendingTurn, ...]:
        settings, now = self._host.settings, self._host.clock()
        until = now + timedelta(seconds=settings.total_time) + MARGIN

        def lease() -> tuple[PendingTurn, ...]:
            most = settings.concurrency
            return tuple(self._host.store.lease(now=now, until=until, limit=most))

        return await to_thread.run_sync(lease)

    async def _try(self, waiting: PendingTurn) -> None:
        try:
            outcome = await self._host.session_of(waiting.subject).retry(waiting)
        except HenceforthError as error:
            _LOG.warning("a turn stays pending: %s", type(error).__name__)
            return
        if self._told is not None:
            self._told(waiting, outcome.status.value)

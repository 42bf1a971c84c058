"""Labelling that nobody waits for: kept as pending first, then done in a task of this process."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from datetime import timedelta
from typing import Any

from ..schemas.outcome import Outcome
from ..schemas.turn import Turn
from .session import Session
from .stores.protocol import PendingTurn

_LOG = logging.getLogger(__name__)

UNDER_WAY = "it is being labelled in the background"


class Background:
    """Labels turns behind the back of a reply; what this process does not finish stays pending."""

    def __init__(self) -> None:
        self._under_way: set[asyncio.Task[None]] = set()

    async def label(self, session: Session, turns: Sequence[Turn]) -> tuple[Outcome, ...]:
        """Keep the turns as pending, and go on to label them one after the other.

        Returns:
            That they are pending. From then on they outlive this process.
        """
        time = timedelta(seconds=session.settings.total_time * max(1, len(turns)))
        outcomes = [await session.postpone(each, UNDER_WAY, after=time) for each in turns]
        if turns:
            self._start(_label(session, turns))
        return tuple(outcomes)

    async def aclose(self, *, grace: float) -> None:
        """Wait for what is under way; what takes longer than `grace` seconds stays pending."""
        if self._under_way:
            _, late = await asyncio.wait(self._under_way, timeout=grace)
            for each in late:
                each.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.warning("turns stay pending: %s", type(error).__name__)


async def _label(session: Session, turns: Sequence[Turn]) -> None:
    waiting: dict[str, PendingTurn] = {each.turn.id: each for each in await session.pending()}
    for turn in turns:
        if turn.id in waiting:
            await session.retry(waiting[turn.id])

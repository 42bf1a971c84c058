"""A fresh process: it knows a database and a question, builds the prompt, and asks a model.

Reads one job a line on stdin and writes one result a line on stdout. It has seen no turn.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from pathlib import Path

import anyio
from pydantic import SecretStr

from ...pipeline.core.render import render
from ...pipeline.errors import HenceforthError
from ...pipeline.replay.recording import RecordMode, conversation, recording
from ...pipeline.session import Session
from ...pipeline.settings import Settings
from ...pipeline.stores.sql import SqlStore
from ...schemas.base import Shape
from ...schemas.context import Context
from ...schemas.rule import Rule
from .answering import ask

KEY = "HENCEFORTH_API_KEY"
"""The one setting that goes to the fresh process by its environment, never by a file or pipe."""


class Tape(Shape):
    """Where the model's answers are recorded, or replayed from."""

    folder: Path
    mode: RecordMode

    def __call__(self) -> AbstractContextManager[object]:
        """The recording, while it runs."""
        return recording(self.folder, mode=self.mode)


class Answerer(Shape):
    """Which model answers, as far as it may be written down."""

    model: str | None = None
    api_base: str | None = None
    temperature: float = 0.0
    timeout: float = 60.0
    attempts: int = 3
    total_time: float = 180.0
    concurrency: int = 4

    def settings(self, tenant: str) -> Settings:
        """The settings in the fresh process; the key comes by its environment."""
        key = os.environ.get(KEY)
        given = self.model_dump(exclude_none=True)
        return Settings(**given, tenant=tenant, api_key=SecretStr(key) if key else None)


class Job(Shape):
    """One probe for the fresh process; without a question only the block is built."""

    id: str
    db: Path
    tenant: str
    speaker: str
    context: Context
    as_of: datetime
    question: str | None = None
    answerer: Answerer = Answerer()
    tape: Tape | None = None
    part: str = "probes"


class Fresh(Shape):
    """What the fresh process got and what the model answered."""

    id: str
    rules: tuple[Rule, ...]
    block: str
    answer: str | None = None
    error: str | None = None


class Desk:
    """Works off jobs: a store is opened once, a bounded number of questions is under way."""

    def __init__(self, concurrency: int) -> None:
        self._stores: dict[Path, SqlStore] = {}
        self._limiter = anyio.CapacityLimiter(concurrency)

    async def work(self, job: Job) -> None:
        """Build the prompt from the rules in force, ask where there is a question, and tell."""
        async with self._limiter:
            fresh = await self._fresh(job)
        print(fresh.model_dump_json(), flush=True)

    async def _fresh(self, job: Job) -> Fresh:
        if job.db not in self._stores:
            self._stores[job.db] = SqlStore(str(job.db))
        settings = job.answerer.settings(job.tenant)
        session = Session(
            job.speaker, store=self._stores[job.db], settings=settings, context=job.context
        )
        rules = await session.in_force(as_of=job.as_of)
        block = render(rules).text
        fresh = Fresh(id=job.id, rules=rules.rules, block=block)
        if job.question is None or settings.model is None:
            return fresh
        try:
            with conversation(job.part):
                answer = await ask(block, job.question, settings=settings)
        except HenceforthError as error:
            return fresh.model_copy(update={"error": str(error)})
        return fresh.model_copy(update={"answer": answer})

    def close(self) -> None:
        """Close the databases."""
        for store in self._stores.values():
            store.close()


def main(lines: Iterable[str]) -> None:
    """Work off the jobs."""
    jobs = [Job.model_validate_json(line) for line in lines if line.strip()]
    tape = next((job.tape for job in jobs if job.tape), None)
    with tape() if tape else nullcontext():
        anyio.run(_all, jobs)


async def _all(jobs: Sequence[Job]) -> None:
    desk = Desk(max(job.answerer.concurrency for job in jobs))
    try:
        async with anyio.create_task_group() as group:
            for job in jobs:
                group.start_soon(desk.work, job)
    finally:
        desk.close()


if __name__ == "__main__":
    main(sys.stdin)

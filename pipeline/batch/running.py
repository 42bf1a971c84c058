"""One run of `batch label`: files in, a label file and a rejects file out."""

import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from anyio import create_task_group, open_signal_receiver, run
from anyio.abc import TaskStatus

from ...schemas.dimensions import Registry
from ..intake import Labeller
from ..settings import Settings
from .cache import LabelCache
from .errors import UnknownFormatError
from .labelling import Counts, Labelling, Stopped, first_of
from .readers import Meter, ReadOptions, Reject, Said, Source, read
from .recipe import Recipe, recipe_of
from .row import LabelRow
from .sinks import RejectsFile, sink
from .spending import Budget, Spending
from .throttle import Throttle


@dataclass(frozen=True)
class Job:
    """What is to be labelled, how, and where to.

    Attributes:
        sources: The files.
        options: How they are read.
        out: The label file.
        cache: The file of labels that are paid for.
        rejects: Where records go that cannot be read.
        budget: The most that may be spent.
    """

    sources: Sequence[Source]
    options: ReadOptions
    settings: Settings
    registry: Registry
    out: Path
    cache: Path
    rejects: Path
    budget: Budget | None = None

    @property
    def recipe(self) -> Recipe:
        """What labels depend on besides the turn."""
        return recipe_of(self.settings, self.registry)

    @property
    def size(self) -> int:
        """Bytes to read."""
        return sum(source.path.stat().st_size for source in self.sources)


@dataclass
class Ended:
    """What a run came to.

    Attributes:
        written: The label file; beside its place, where the run stopped early.
        skipped: Files of a folder that are no transcripts.
    """

    written: Path
    counts: Counts
    spending: Spending
    stopped: Stopped | None
    skipped: Sequence[str] = ()


Watcher = Callable[[Counts, Spending, int], None]
"""Told now and then how far a run is: counts, spending, bytes read."""


@dataclass
class _Input:
    """All turns of all files."""

    job: Job
    meter: Meter = field(default_factory=Meter)
    skipped: list[str] = field(default_factory=list[str])

    def __iter__(self) -> Iterator[Said | Reject]:
        for source in self.job.sources:
            before = self.meter.done
            try:
                yield from read(source, self.job.options, meter=self.meter)
            except UnknownFormatError:
                if source.asked:
                    raise
                self.skipped.append(source.name)
            self.meter.done = before + source.path.stat().st_size


def turns_of(job: Job) -> Iterator[Said | Reject]:
    """All turns and broken records of the files of a job; what is no transcript is passed by."""
    return iter(_Input(job))


def label_files(job: Job, labeller: Labeller, watch: Watcher) -> Ended:
    """Label all turns of the files; the same call goes on where one before was ended.

    Ctrl-C and SIGTERM begin nothing new, wait for what is under way, and keep it; a second one
    ends at once. Whatever ends the run, no turn that was finished is paid for again.

    Raises:
        ModelGoneError: If many turns in a row got no answer.
        BudgetError: If the budget is money and the price of the model is not known.
        StoreError: If the cache cannot be used.
        OSError: If the output cannot be written.
    """
    return run(_label_files, job, labeller, watch)


async def _label_files(job: Job, labeller: Labeller, watch: Watcher) -> Ended:
    turns, spending = _Input(job), Spending(job.budget)
    rows, rejects = sink(job.out), RejectsFile(job.rejects)
    with LabelCache(job.cache) as cache:

        def each(row: LabelRow) -> None:
            rows.write(row)
            watch(labelling.counts, spending, turns.meter.done)

        labelling = Labelling(
            labeller=labeller,
            cache=cache,
            recipe=job.recipe,
            throttle=Throttle(job.settings.concurrency),
            spending=spending,
            tenant=job.settings.tenant,
            each=each,
            rejected=rejects.write,
        )
        whole = False
        try:
            stopped = await _interruptible(labelling, turns)
            whole = stopped is None
        finally:
            written = rows.close(whole=whole)
            rejects.close()
    return Ended(written, labelling.counts, spending, stopped, turns.skipped)


async def _interruptible(labelling: Labelling, turns: _Input) -> Stopped | None:
    try:
        async with create_task_group() as group:
            await group.start(_on_signal, labelling)
            await labelling.run(turns)
            group.cancel_scope.cancel()
    except BaseExceptionGroup as errors:
        raise first_of(errors) from None
    return labelling.stopped


async def _on_signal(labelling: Labelling, *, task_status: TaskStatus[None]) -> None:
    with open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        task_status.started()
        async for _ in signals:
            if labelling.stopped:
                raise KeyboardInterrupt
            labelling.stop()

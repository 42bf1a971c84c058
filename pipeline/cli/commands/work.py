"""`henceforth work`: label the turns that wait."""

import signal
from contextlib import closing
from pathlib import Path

import anyio
import click

from ...hosting import Host
from ...settings import Settings
from ...stores.sql import SqlStore
from ...worker import Worker
from ..opened import given_labeller
from ..options import FILE
from ..output import show


@click.command("work")
@click.option("--db", metavar="FILE|URL", help="The database [HENCEFORTH_DB].")
@click.option("--config", type=FILE, help="A settings file other than henceforth.toml.")
@click.option("--poll", default=2.0, show_default=True, help="Seconds between two looks.")
@click.option("--drain", is_flag=True, help="End when nothing is due any more.")
def command(db: str | None, config: Path | None, poll: float, drain: bool) -> None:
    """Label turns that wait, of all subjects, until told to stop.

    What fails is tried again later, twice as late each time, and given up after as many tries as
    the settings say: `henceforth pending` lists it, and `--retry` tries it again. Several workers
    may share a database.
    """
    settings = Settings.load(config, db=db)
    with closing(SqlStore(settings.db)) as store:
        worker = Worker(Host(store, settings=settings, labeller=given_labeller()), poll=poll)
        if drain:
            show(f"{anyio.run(worker.drain)} turns were tried.")
        else:
            anyio.run(_until_told, worker)


async def _until_told(worker: Worker) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with anyio.create_task_group() as group:
            group.start_soon(worker.run)
            async for _ in signals:
                break  # what is under way is due again when its time is up
            group.cancel_scope.cancel()

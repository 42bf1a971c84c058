"""What our own code costs, without a model: look-ups, reconcile, memory, Parquet.

Rates are turns per second of processor time, so that other programs do not matter much.

python benchmarks/steps.py 10000 100000
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
from delay_server import answer
from generate import write

from henceforth import Labelled, Settings, Turn, default_registry
from henceforth.pipeline.batch.cache import LabelCache
from henceforth.pipeline.batch.folding import Terms
from henceforth.pipeline.batch.labelling import Labelling
from henceforth.pipeline.batch.readers import ReadOptions, Reject, Said, found, read
from henceforth.pipeline.batch.recipe import recipe_of
from henceforth.pipeline.batch.reconciling import reconcile_files
from henceforth.pipeline.batch.sinks import sink
from henceforth.pipeline.batch.spending import Spending
from henceforth.pipeline.batch.throttle import Throttle
from henceforth.pipeline.labelling.checking import checked
from henceforth.pipeline.labelling.label import BY_CODE
from henceforth.pipeline.labelling.reading import read as read_answer
from henceforth.pipeline.labelling.wire import WireTurn

parquet: Any = import_module("pyarrow.parquet")

REGISTRY = default_registry()
SETTINGS = Settings(model="delay")


class AtOnce:
    """Labels as the delay server would, without a request."""

    async def label(self, turn: Turn) -> Labelled:
        """The labels of the turn."""
        wire = WireTurn.model_validate_json(answer(turn.text))
        labels, _ = checked([read_answer(wire, turn, REGISTRY)], turn)
        return Labelled(labels=labels, labelled_by=BY_CODE)


def turns_in(folder: Path) -> Iterator[Said | Reject]:
    """All turns of the folder."""
    for source in found([folder]):
        yield from read(source, ReadOptions())


def label(folder: Path, out: Path, cache: LabelCache) -> float:
    """Label all turns; how many seconds of processor time it took."""
    rows = sink(out)
    labelling = Labelling(
        labeller=AtOnce(),
        cache=cache,
        recipe=recipe_of(SETTINGS, REGISTRY),
        throttle=Throttle(64),
        spending=Spending(),
        tenant="default",
        each=rows.write,
        rejected=print,
    )
    started = time.process_time()
    anyio.run(labelling.run, turns_in(folder))
    rows.close(whole=True)
    return time.process_time() - started


def megabytes() -> int:
    """The most memory this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def report(turns: int, folder: Path) -> None:
    """Measure with so many turns."""
    write(turns, folder / "in", seed=7)
    out = folder / "labels.parquet"
    with LabelCache(folder / "cache.db") as cache:
        first = label(folder / "in", out, cache)
        held_once = megabytes()
        again = label(folder / "in", out, cache)
        held_twice = megabytes()
    started = time.process_time()
    table = parquet.read_table(out)
    read_bare = time.process_time() - started
    started = time.process_time()
    parquet.write_table(table, folder / "bare.parquet", compression="zstd")
    write_bare = time.process_time() - started
    terms = Terms(registry=REGISTRY, undo_window=timedelta(days=7))
    started = time.process_time()
    reconcile_files([out], folder / "rules.db", terms)
    folded = time.process_time() - started
    print(
        f"| {turns:,} | {turns / first:,.0f} | {turns / again:,.0f} | {turns / folded:,.0f} "
        f"| {read_bare:.2f} | {write_bare:.2f} | {held_once}, {held_twice} |",
        flush=True,
    )


def main() -> None:
    """Measure each size that is asked for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("turns", type=int, nargs="+")
    columns = ("turns", "label, no model", "in cache", "reconcile", "bare read s", "write s", "MB")
    print(f"| {' | '.join(columns)} |")
    print("|---|---|---|---|---|---|---|")
    for turns in options.parse_args().turns:
        with tempfile.TemporaryDirectory() as scratch:
            report(turns, Path(scratch))


if __name__ == "__main__":
    sys.exit(main())

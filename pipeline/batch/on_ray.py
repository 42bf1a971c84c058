"""Both steps on Ray Data: the same functions and the same bytes, on as many machines as it has."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..intake import Labeller
from . import label_files
from .arrow import LabelBatch, ReconcileBatch, turn_tables
from .errors import TargetThereError
from .extras import library
from .folding import RECONCILED, Reconciled, Terms
from .labelling import Counts
from .readers import Reject, Said
from .reconciling import Totals, write_all
from .row import ROW, RowStatus
from .running import Ended, Job, turns_of
from .sinks import RejectsFile, sink
from .spending import Spending

_CPUS = 0.25
"""What a labelling worker takes of a machine: it waits for the model, and readers need room."""

TURNS_A_TABLE = 1024


def label_on_ray(
    job: Job, labeller: Labeller | None = None, *, workers: int = 2, size: int = TURNS_A_TABLE
) -> Ended:
    """Label all turns of the files on Ray; the same bytes as `label_files` writes.

    The cache file has to be on a disk that all workers share. A worker that dies is replaced;
    what it had finished is in the cache. There is no budget here.

    Args:
        job: As for `label_files`; its concurrency is shared out among the workers.
        labeller: Another labeller than that of the settings; it must be picklable.
        workers: How many workers label at the same time.
        size: Turns of a table; what a worker that dies had finished of it is looked up again.
    """
    data = _ray_data()
    parquet = library("pyarrow.parquet", file="Ray Data")
    rejects, counts = RejectsFile(job.rejects), Counts()
    share = max(job.settings.concurrency // workers, 1)
    settings = job.settings.model_copy(update={"concurrency": share})
    with TemporaryDirectory(prefix="henceforth-", dir=job.out.absolute().parent) as scratch:
        turns = _without_rejects(job, rejects, counts)
        for number, table in enumerate(turn_tables(turns, size=size)):
            parquet.write_table(table, Path(scratch) / f"turns-{number:08}.parquet")
        rejects.close()
        labelled = data.read_parquet(scratch).map_batches(
            LabelBatch,
            fn_constructor_args=(settings, job.registry, job.cache.absolute(), labeller),
            batch_format="pyarrow",
            batch_size=size,
            compute=data.ActorPoolStrategy(size=workers),
            num_cpus=_CPUS,
        )
        rows = sink(job.out)
        for batch in labelled.sort("seq").iter_batches(batch_format="pyarrow"):
            for text in batch.column("row").to_pylist():
                row = ROW.load(text, where="Ray")
                counts.turns += 1
                counts.machine += row.status is RowStatus.MACHINE
                counts.failed += row.status is RowStatus.FAILED
                rows.write(row)
    return Ended(rows.close(whole=True), counts, Spending(), None)


def reconcile_on_ray(
    files: Sequence[Path], out: Path, terms: Terms, *, replace: bool = False
) -> Totals:
    """Fold label files on Ray; the same bytes as `reconcile_files` writes.

    Raises:
        TargetThereError: If the output is there and is not to be replaced.
    """
    if out.exists() and not replace:
        raise TargetThereError(path=out)
    data, arrow = _ray_data(), library("pyarrow", file="Ray Data")
    parquet = library("pyarrow.parquet", file="Ray Data")
    reconcile = ReconcileBatch(terms)

    def folded_part(table: Any) -> Any:
        return reconcile(table)  # Ray wants a function by name, not an object that can be called

    with TemporaryDirectory(prefix="henceforth-", dir=out.absolute().parent) as scratch:
        for number, part in enumerate(label_files.deal(list(files), Path(scratch))):
            texts = part.read_text("utf-8").splitlines()
            part.unlink()
            if texts:
                table = arrow.table({"part": [number] * len(texts), "row": texts})
                parquet.write_table(table, part.with_suffix(".parquet"))
        if not any(Path(scratch).iterdir()):
            return write_all([], out)
        folded = (
            data.read_parquet(scratch)
            .groupby("part")
            .map_groups(folded_part, batch_format="pyarrow")
        )
        return write_all(_in_order(folded), out)


def _in_order(folded: Any) -> Iterator[Reconciled]:
    """The subjects in the order of one machine: by part, and within a part by name."""
    found: dict[tuple[int, str], str] = {}
    for batch in folded.iter_batches(batch_format="pyarrow"):
        for each in batch.to_pylist():
            found[label_files.part_of(each["subject"]), each["subject"]] = each["reconciled"]
    for key in sorted(found):
        yield RECONCILED.load(found.pop(key), where="Ray")


def _without_rejects(job: Job, rejects: RejectsFile, counts: Counts) -> Iterator[Said]:
    for item in turns_of(job):
        if isinstance(item, Reject):
            counts.rejected += 1
            rejects.write(item)
        else:
            yield item


def _ray_data() -> Any:
    return library("ray.data", file="the engine 'ray'")

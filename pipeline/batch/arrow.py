"""Both steps as functions over Arrow tables, for any engine that hands them around. No engine.

An engine needs to do three things: cut turns into tables of any size and give them to a
`LabelBatch`; bring all rows of a subject into one table and give it to a `ReconcileBatch`; and
sort what comes back. docs/batch.md shows it for Ray, Spark and Daft.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from anyio import run

from ...schemas.dimensions import Registry
from ...schemas.ids import SubjectId
from ..intake import Labeller
from ..labelling.labeller import ModelLabeller
from ..settings import Settings
from ..stores.records import RecordType
from .cache import LabelCache
from .extras import library
from .folding import RECONCILED, Terms, fold_rows
from .labelling import Labelling
from .readers import Reject, Said
from .recipe import recipe_of
from .row import ROW, LabelRow
from .spending import Spending
from .throttle import Throttle

SAID: RecordType[Said] = RecordType("turn", Said)


def turn_tables(turns: Iterable[Said], *, size: int = 1024) -> Iterator[Any]:
    """Turns as Arrow tables: `seq`, their place in the whole, and `said`, the turn as JSON."""
    waiting: list[dict[str, object]] = []
    for seq, said in enumerate(turns):
        waiting.append({"seq": seq, "said": SAID.dump(said)})
        if len(waiting) == size:
            yield _table(waiting, "said")
            waiting = []
    if waiting:
        yield _table(waiting, "said")


class LabelBatch:
    """Labels a table of turns; make one for each worker.

    The label file is shared: what any worker finished is there for all, and for the worker that
    takes the place of one that died.

    Args:
        settings: The model, and how many requests this worker may have under way.
        registry: The dimensions.
        cache: The file of paid labels, on a disk that all workers share.
        labeller: Another labeller than that of the settings.
    """

    def __init__(
        self,
        settings: Settings,
        registry: Registry,
        cache: Path,
        labeller: Labeller | None = None,
    ) -> None:
        self._settings, self._registry = settings, registry
        self._labeller = labeller or ModelLabeller(settings, registry=registry)
        self._cache = cache

    def __call__(self, table: Any) -> Any:
        """The table of label rows: `seq` as it came, and `row`."""
        given = table.to_pylist()
        turns = [SAID.load(each["said"], where="the batch") for each in given]
        # Engines make an object in one thread and call it in another; a connection stays in one.
        with LabelCache(self._cache) as cache:
            rows = run(self._labelled, turns, cache)
        pairs = zip(given, rows, strict=True)
        return _table([{"seq": each["seq"], "row": ROW.dump(row)} for each, row in pairs], "row")

    async def _labelled(self, turns: Sequence[Said], cache: LabelCache) -> list[LabelRow]:
        rows: list[LabelRow] = []

        def none_rejected(reject: Reject) -> None:
            raise AssertionError(reject)

        labelling = Labelling(
            labeller=self._labeller,
            cache=cache,
            recipe=recipe_of(self._settings, self._registry),
            throttle=Throttle(self._settings.concurrency),
            spending=Spending(),
            tenant=self._settings.tenant,
            each=rows.append,
            rejected=none_rejected,
        )
        await labelling.run(turns)
        return rows


class ReconcileBatch:
    """Folds the label rows of whole subjects: all rows of a subject must be in one table."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def __call__(self, table: Any) -> Any:
        """One row a subject: `subject`, and `reconciled`, what a store keeps of it as JSON."""
        rows = [ROW.load(text, where="the batch") for text in table.column("row").to_pylist()]
        rows.sort(key=_subject)
        folded = [
            fold_rows(subject, own, self._terms) for subject, own in groupby(rows, key=_subject)
        ]
        kept = [
            {"subject": each.subject, "reconciled": RECONCILED.dump(each)}
            for each in folded
            if each.write.entries
        ]
        arrow = library("pyarrow", file="Arrow batches")
        names = ("subject", "reconciled")
        schema = arrow.schema([(name, arrow.string()) for name in names])
        return arrow.Table.from_pylist(kept, schema)


def _subject(row: LabelRow) -> SubjectId:
    return row.subject


def _table(rows: list[dict[str, object]], column: str) -> Any:
    arrow = library("pyarrow", file="Arrow batches")
    schema = arrow.schema([("seq", arrow.int64()), (column, arrow.string())])
    return arrow.Table.from_pylist(rows, schema)

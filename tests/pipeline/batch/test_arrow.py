"""Both steps over Arrow tables, in any order and size: what one machine gives."""

import random
from pathlib import Path

import pytest

from henceforth import Settings, default_registry
from henceforth.pipeline.batch.arrow import LabelBatch, ReconcileBatch, turn_tables
from henceforth.pipeline.batch.cache import LabelCache
from henceforth.pipeline.batch.folding import RECONCILED, Terms, fold_rows
from henceforth.pipeline.batch.readers import Said
from henceforth.pipeline.batch.row import ROW
from henceforth.schemas.ids import subject_id

from .conftest import RuleLabeller, Run, said

pyarrow = pytest.importorskip("pyarrow")

TEXTS = ("answer in German", "keep it short", "hello \ud83d", "answer in Dutch", "forget length")
TURNS = [
    said(text, speaker=name, index=n, conversation=f"c-{name}")
    for name in ("ana", "ben", "cyd")
    for n, text in enumerate(TEXTS)
]


def test_tables_in_any_order_give_the_rows_of_one_run(cache: LabelCache, tmp_path: Path) -> None:
    expected = Run(cache, RuleLabeller()).over(TURNS).rows
    settings = Settings(model="m")
    worker = LabelBatch(settings, default_registry(), tmp_path / "w.db", RuleLabeller())
    tables = list(turn_tables(TURNS, size=4))
    random.Random(1).shuffle(tables)

    done = pyarrow.concat_tables([worker(table) for table in tables]).sort_by("seq")

    assert [ROW.load(text, where="") for text in done.column("row").to_pylist()] == expected


def test_a_worker_that_takes_over_asks_for_nothing_that_is_done(tmp_path: Path) -> None:
    settings, second = Settings(model="m"), RuleLabeller()
    tables = list(turn_tables(TURNS))
    first = LabelBatch(settings, default_registry(), tmp_path / "w.db", RuleLabeller())
    before = [first(table) for table in tables]

    after = [
        LabelBatch(settings, default_registry(), tmp_path / "w.db", second)(table)
        for table in tables
    ]

    assert second.asked == []
    assert after == before


def test_whole_subjects_in_one_table_fold_as_alone(cache: LabelCache) -> None:
    rows = Run(cache, RuleLabeller()).over(TURNS).rows
    terms = Terms(registry=default_registry())
    texts = [ROW.dump(row) for row in rows]
    random.Random(2).shuffle(texts)

    table = ReconcileBatch(terms)(pyarrow.table({"row": texts}))

    found = [RECONCILED.load(text, where="") for text in table.column("reconciled").to_pylist()]
    assert found == [
        fold_rows(subject, [row for row in rows if row.subject == subject], terms)
        for subject in map(subject_id, ("ana", "ben", "cyd"))
    ]


def test_no_turns_are_no_tables() -> None:
    none: list[Said] = []

    assert list(turn_tables(none)) == []

"""Several processes on one SQLite file: no update is lost, and none is seen by halves."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from henceforth.pipeline.errors import StaleVersionError
from henceforth.pipeline.stores.protocol import Write
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.ids import subject_id

ANN = subject_id("ann")

WRITER = """
import sys
from henceforth.pipeline.errors import StaleVersionError
from henceforth.pipeline.stores.protocol import Write
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.ledger import VoidEntry
from henceforth.schemas.rule import Rule
from henceforth.schemas.scope import EVERYWHERE
from datetime import UTC, datetime

file, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)

def write(each):
    rule = Rule(
        id=f"{name}-{each}", kind="preference", dimension="length", target="replies", value="short",
        polarity="do", statement="Answer briefly. " * 100, scope=EVERYWHERE, evidence=(),
        recorded_at=NINE,
    )
    return Write(entries=((VoidEntry(turn=rule.id, recorded_at=NINE), None),), rules=(rule,))

store, each = SqlStore(file), 0
while each < count:
    try:
        store.commit("default/ann", write(each), version=store.read("default/ann").version)
        each += 1
        print(each, flush=True)
    except StaleVersionError:
        pass
"""


def start(file: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(file), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
    )


def test_processes_that_open_and_write_at_once_lose_nothing(file: Path) -> None:
    writers = [start(file, name, 15) for name in "abc"]
    for each in writers:
        each.communicate()

    assert [each.returncode for each in writers] == [0, 0, 0]
    store = SqlStore(file)
    kept = store.read(ANN)
    assert {rule.id for rule in kept.rules} == {f"{name}-{n}" for name in "abc" for n in range(15)}
    assert kept.version == 45
    assert [row.seq for row in store.ledger(ANN)] == list(range(1, 46))
    store.close()


def test_a_process_that_dies_in_the_middle_leaves_whole_writes_only(
    file: Path, keeping: Callable[[str, str], Write]
) -> None:
    writer = start(file, "a", 1_000_000)
    assert writer.stdout is not None
    for _ in range(20):
        writer.stdout.readline()
    time.sleep(0.007)
    writer.kill()
    writer.communicate()

    store = SqlStore(file)
    kept = store.read(ANN)
    assert kept.version >= 20
    assert len(kept.rules) == len(store.ledger(ANN)) == kept.version
    assert store.commit(ANN, keeping("t1", "More."), version=kept.version) == kept.version + 1
    store.close()


@pytest.mark.parametrize("first", [True, False], ids=["a first write", "a later write"])
def test_a_write_prepared_from_an_old_state_is_refused_across_connections(
    file: Path, keeping: Callable[[str, str], Write], first: bool
) -> None:
    one, other = SqlStore(file), SqlStore(file)
    version = 0 if first else one.commit(ANN, keeping("t0", "Zero."), version=0)
    one.commit(ANN, keeping("t1", "One."), version=version)

    with pytest.raises(StaleVersionError) as refused:
        other.commit(ANN, keeping("t2", "Two."), version=version)

    assert refused.value.found == version + 1
    assert "Two." not in repr(other.read(ANN))
    one.close()
    other.close()

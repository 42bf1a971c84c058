"""What a SQLite file keeps, who may read it, and that deleted text is not in its bytes."""

import random
import re
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from henceforth.pipeline.errors import NotScrubbedError
from henceforth.pipeline.stores.protocol import PendingTurn, Recorded, Write
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.ids import RuleId, TurnId, subject_id

ANN = subject_id("ann")
BOB = subject_id("bob")

Keeping = Callable[[str, str], Write]
Waiting = Callable[[str, str], PendingTurn]


def bytes_on_disk(file: Path) -> bytes:
    """Of the database and of all files that SQLite lays beside it."""
    return b"".join(each.read_bytes() for each in sorted(file.parent.glob(f"{file.name}*")))


@pytest.fixture
def reader(file: Path, store: SqlStore) -> Iterator[sqlite3.Connection]:
    """Another program that stays in the middle of reading."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT * FROM subjects").fetchall()
        yield connection


def test_all_is_there_after_closing_and_opening_again(
    file: Path, keeping: Keeping, waiting: Waiting
) -> None:
    first = SqlStore(file)
    first.commit(ANN, keeping("t1", "Antworte kurz. 简短"), version=0)
    first.add_pending(waiting("t2", "später"))
    before = first.read(ANN), first.ledger(ANN), first.pending()
    first.close()

    again = SqlStore(f"sqlite:///{file}")

    assert (again.read(ANN), again.ledger(ANN), again.pending()) == before
    again.close()


@pytest.mark.parametrize("name", ["rules.db", "100% mine #1?.db", "règles 规则.db"])
def test_a_path_of_any_name_is_the_file(tmp_path: Path, name: str) -> None:
    SqlStore(tmp_path / name).close()
    SqlStore(str(tmp_path / name)).close()

    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_only_the_owner_can_read_the_files(file: Path, store: SqlStore, keeping: Keeping) -> None:
    store.commit(ANN, keeping("t1", "Answer briefly."), version=0)

    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in file.parent.iterdir()}
    assert modes == dict.fromkeys(["rules.db", "rules.db-wal", "rules.db-shm"], 0o600)


def test_a_file_that_is_there_keeps_its_mode(file: Path) -> None:
    file.touch(mode=0o640)
    file.chmod(0o640)

    SqlStore(file).close()

    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_erased_text_is_in_no_byte_on_disk(
    file: Path, store: SqlStore, keeping: Keeping, waiting: Waiting
) -> None:
    store.commit(ANN, keeping("t1", "answer like Ludmilla"), version=0)
    store.commit(BOB, keeping("t1", "answer like Bertram"), version=0)
    store.add_pending(waiting("t2", "more like Ludmilla"))
    assert b"Ludmilla" in bytes_on_disk(file)

    store.erase(ANN)

    assert b"Ludmilla" not in bytes_on_disk(file)
    assert b"default/ann" not in bytes_on_disk(file)
    assert b"Bertram" in bytes_on_disk(file)


def test_redacted_removed_and_labelled_text_is_in_no_byte_on_disk(
    file: Path, store: SqlStore, keeping: Keeping, waiting: Waiting
) -> None:
    store.commit(ANN, keeping("t1", "call me Ludmilla"), version=0)
    store.add_pending(waiting("t2", "Ludmilla, remember"))
    clean = keeping("t1", "redacted").entries[0][0]

    store.commit(
        ANN,
        Write(
            rewritten={1: Recorded(seq=1, entry=clean)},
            removed=(RuleId("t1#0"),),
            labelled=(TurnId("t2"),),
        ),
        version=1,
    )

    assert b"Ludmilla" not in bytes_on_disk(file)


@pytest.mark.parametrize("seed", [1, 8, 9])
def test_no_copy_is_left_where_sqlite_moved_rows_about(
    file: Path, store: SqlStore, keeping: Keeping, seed: int
) -> None:
    store.commit(ANN, keeping("t1", "Answer briefly."), version=0)
    chance = random.Random(seed)
    with closing(sqlite3.connect(file, isolation_level=None)) as crowd:
        crowd.execute("PRAGMA secure_delete = ON")
        crowd.execute("BEGIN")
        for step in range(4000):
            where = (f"default/u{chance.randrange(40)}", f"r{chance.randrange(15)}")
            crowd.execute("DELETE FROM rules WHERE subject = ? AND id = ?", where)
            if chance.random() < 0.8:
                text = f"mark-{step:05d}-" + "w" * chance.choice([5, 50, 300, 1500, 9000])
                crowd.execute("INSERT INTO rules VALUES (?, ?, 1, ?)", (*where, text))
        crowd.execute("COMMIT")
        crowd.execute("DELETE FROM rules WHERE subject < 'default/u3'")
        alive = {text[:11].encode() for (text,) in crowd.execute("SELECT rule FROM rules")}

    store.commit(ANN, Write(removed=(RuleId("t1#0"),)), version=1)

    found = set(re.findall(rb"mark-\d{5}-", bytes_on_disk(file)))
    assert found == {each for each in alive if each.startswith(b"mark-")}
    assert found


def test_erasing_beside_a_reader_says_that_bytes_are_left_and_can_be_done_again(
    file: Path, store: SqlStore, keeping: Keeping, reader: sqlite3.Connection
) -> None:
    impatient = SqlStore(f"sqlite:///{file}?timeout=0.05")
    impatient.commit(ANN, keeping("t1", "Ludmilla"), version=0)

    with pytest.raises(NotScrubbedError):
        impatient.erase(ANN)

    assert impatient.read(ANN).rules == ()
    reader.execute("ROLLBACK")
    impatient.erase(ANN)
    assert b"Ludmilla" not in bytes_on_disk(file)
    impatient.close()


def test_a_redaction_beside_a_reader_stands_and_the_next_opening_clears_the_file(
    file: Path, store: SqlStore, keeping: Keeping, reader: sqlite3.Connection
) -> None:
    impatient = SqlStore(f"sqlite:///{file}?timeout=0.05")
    impatient.commit(ANN, keeping("t1", "Ludmilla"), version=0)
    clean = Recorded(seq=1, entry=keeping("t1", "redacted").entries[0][0])

    version = impatient.commit(
        ANN, Write(rewritten={1: clean}, removed=(RuleId("t1#0"),)), version=1
    )

    assert version == 2
    assert b"Ludmilla" in bytes_on_disk(file)
    reader.execute("ROLLBACK")
    SqlStore(file).close()
    assert b"Ludmilla" not in bytes_on_disk(file)
    impatient.close()


def test_a_database_in_memory_is_one_for_all_calls(keeping: Keeping) -> None:
    store = SqlStore("sqlite:///:memory:")

    store.commit(ANN, keeping("t1", "Answer briefly."), version=0)

    assert store.read(ANN).version == 1
    store.close()


def test_opening_an_up_to_date_database_does_not_load_the_migrations(file: Path) -> None:
    SqlStore(file).close()
    program = (
        "import sys; from henceforth.pipeline.stores.sql import SqlStore; "
        f"SqlStore({str(file)!r}).subjects(); print('alembic' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "False"

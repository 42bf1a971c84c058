"""Files that cannot be used: each a typed error, and nothing half written."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from henceforth.pipeline.errors import (
    DamagedStoreError,
    NewerDatabaseError,
    NotADatabaseError,
    StoreUnavailableError,
    Unavailable,
    UnusableAddressError,
)
from henceforth.pipeline.stores.protocol import Write
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.ids import subject_id

ANN = subject_id("ann")
LARGE = "x" * 2_000_000

Keeping = Callable[[str, str], Write]


@contextmanager
def without_root() -> Generator[None, None, None]:
    """Root may write everywhere: be nobody for a while."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that nobody can reach too."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


@contextmanager
def pages_at_most(count: int) -> Generator[None, None, None]:
    """A quota that SQLite itself enforces."""

    def limit(connection: Any, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {count}")

    event.listen(Engine, "connect", limit)
    try:
        yield
    finally:
        event.remove(Engine, "connect", limit)


def edit(file: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement, values)


def test_a_folder_that_is_missing_is_said_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError) as failed:
        SqlStore(tmp_path / "nowhere" / "rules.db")

    assert failed.value.why is Unavailable.MISSING
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_may_not_be_entered_is_said(tmp_path: Path, open_folder: Path) -> None:
    open_folder.chmod(0o500)

    with without_root(), pytest.raises(StoreUnavailableError) as failed:
        SqlStore(open_folder / "rules.db")

    assert failed.value.why is Unavailable.DENIED


def test_a_read_only_file_can_be_read_and_refuses_a_write_whole(
    open_folder: Path, keeping: Keeping
) -> None:
    file = open_folder / "rules.db"
    owner = SqlStore(file)
    owner.commit(ANN, keeping("t1", "Answer briefly."), version=0)
    kept = owner.read(ANN)
    owner.close()
    file.chmod(0o444)

    with without_root():
        store = SqlStore(file)
        with pytest.raises(StoreUnavailableError) as failed:
            store.commit(ANN, keeping("t2", "More."), version=1)

        assert failed.value.why is Unavailable.READ_ONLY
        assert store.read(ANN) == kept
        assert len(store.ledger(ANN)) == 1
        store.close()


def test_a_full_disk_refuses_the_write_whole_and_the_store_goes_on(
    file: Path, keeping: Keeping
) -> None:
    with pages_at_most(60):
        store = SqlStore(file)
        store.commit(ANN, keeping("t1", "Answer briefly."), version=0)
        before = store.read(ANN), store.ledger(ANN)

        with pytest.raises(StoreUnavailableError) as failed:
            store.commit(ANN, keeping("t2", LARGE), version=1)

        assert failed.value.why is Unavailable.FULL
        assert (store.read(ANN), store.ledger(ANN)) == before
        assert store.commit(ANN, keeping("t3", "Small."), version=1) == 2
        store.close()


def test_a_disk_too_full_for_the_tables_leaves_a_file_that_opens_later(file: Path) -> None:
    with pages_at_most(3), pytest.raises(StoreUnavailableError) as failed:
        SqlStore(file)

    assert failed.value.why is Unavailable.FULL
    store = SqlStore(file)
    assert store.subjects() == ()
    store.close()


def test_a_file_that_may_not_grow_refuses_the_write_whole(
    file: Path, store: SqlStore, keeping: Keeping
) -> None:
    store.commit(ANN, keeping("t1", "Answer briefly."), version=0)
    before = store.read(ANN), store.ledger(ANN)
    program = f"""
import resource
from henceforth.pipeline.errors import StoreUnavailableError
from henceforth.pipeline.stores.protocol import PendingTurn, Write
from henceforth.pipeline.stores.sql import SqlStore
store = SqlStore({str(file)!r})
row = store.ledger({ANN!r})[0]
grown = row.entry.model_copy(update={{"text_hash": "x" * 3_000_000}})
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
try:
    store.commit({ANN!r}, Write(entries=((row.entry, None), (grown, None))), version=1)
except StoreUnavailableError as error:
    print("refused:", error)
"""

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.startswith("refused:")
    assert (store.read(ANN), store.ledger(ANN)) == before
    assert store.commit(ANN, keeping("t2", "More."), version=1) == 2


def test_a_lock_that_another_program_holds_is_said(
    file: Path, store: SqlStore, keeping: Keeping
) -> None:
    impatient = SqlStore(f"sqlite:///{file}?timeout=0.05")

    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError) as failed:
            impatient.commit(ANN, keeping("t1", "Answer briefly."), version=0)

    assert failed.value.why is Unavailable.LOCKED
    assert impatient.commit(ANN, keeping("t1", "Answer briefly."), version=0) == 1
    impatient.close()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"These are my notes, no database.\n" * 100, id="a text"),
        pytest.param(b"SQLite format 3\0" + b"\xff" * 4080, id="a head and rubbish"),
    ],
)
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(
    file: Path, content: bytes
) -> None:
    file.write_bytes(content)

    with pytest.raises(NotADatabaseError):
        SqlStore(file)

    assert file.read_bytes() == content
    assert list(file.parent.iterdir()) == [file]


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(NotADatabaseError):
        SqlStore(tmp_path)


@pytest.mark.parametrize("table", ["bookmarks", "rules"])
def test_the_database_of_another_program_is_refused_and_left_as_it_is(
    file: Path, table: str
) -> None:
    edit(file, f"CREATE TABLE {table} (url TEXT)")
    before = file.read_bytes()

    with pytest.raises(NotADatabaseError):
        SqlStore(file)

    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_a_database_of_a_newer_revision_is_refused_and_left_as_it_is(
    file: Path, keeping: Keeping
) -> None:
    newer = SqlStore(file)
    newer.commit(ANN, keeping("t1", "Answer briefly."), version=0)
    newer.close()
    edit(file, "UPDATE henceforth_revision SET version_num = '9999'")
    before = file.read_bytes()

    with pytest.raises(NewerDatabaseError) as refused:
        SqlStore(file)

    assert refused.value.found == "9999"
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file], "nothing is held open"


def test_a_record_of_a_newer_henceforth_is_refused(
    file: Path, store: SqlStore, keeping: Keeping
) -> None:
    store.commit(ANN, keeping("t1", "Answer briefly."), version=0)
    edit(file, """UPDATE rules SET rule = '{"schema_version": 99, "new": "shape"}'""")

    with pytest.raises(NewerDatabaseError, match="99"):
        store.read(ANN)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"schema_version":2,"id":"r1"}', '{"id'])
def test_a_damaged_record_is_said_with_what_it_was(
    file: Path, store: SqlStore, keeping: Keeping, text: str
) -> None:
    store.commit(ANN, keeping("t1", "Answer briefly."), version=0)
    edit(file, "UPDATE rules SET rule = ?", text)

    with pytest.raises(DamagedStoreError, match="rule") as failed:
        store.read(ANN)

    assert failed.value.__cause__ is not None


@pytest.mark.parametrize("where", ["nosuchdriver://host/rules", "://", "postgresql+nosuch://h/d"])
def test_an_address_that_names_no_database_is_the_callers_mistake(where: str) -> None:
    with pytest.raises(UnusableAddressError):
        SqlStore(where)

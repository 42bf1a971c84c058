"""What only a server can do: many processes, tables beside others', and going away."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from postgres_server import Postgres
from sqlalchemy import Engine, create_engine

from henceforth.pipeline.errors import (
    NewerDatabaseError,
    NotADatabaseError,
    StaleVersionError,
    StoreUnavailableError,
    Unavailable,
)
from henceforth.pipeline.stores import tables
from henceforth.pipeline.stores.protocol import PendingTurn, Write
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.ids import SubjectId, subject_id

ANN = subject_id("ann")
BOB = subject_id("bob")

Keeping = Callable[[str, str], Write]
Waiting = Callable[[str, str], PendingTurn]

WRITER = """
import sys
from henceforth.pipeline.errors import StaleVersionError
from henceforth.pipeline.stores.protocol import Write
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.ledger import VoidEntry

where, name = sys.argv[1:]
store, each = SqlStore(where), 0
while each < 15:
    entry = VoidEntry(turn=f"{name}-{each}", recorded_at="2026-03-01T09:00:00Z")
    try:
        version = store.read("default/ann").version
        store.commit("default/ann", Write(entries=((entry, None),)), version=version)
        each += 1
    except StaleVersionError:
        pass
"""


@pytest.fixture
def where(new_database: Callable[[], str]) -> str:
    return new_database()


@pytest.fixture
def store(where: str) -> Iterator[SqlStore]:
    store = SqlStore(where)
    yield store
    store.close()


@pytest.fixture
def by_hand(where: str) -> Iterator[Engine]:
    engine = create_engine(where)
    yield engine
    engine.dispose()


def test_processes_that_open_and_write_at_once_lose_nothing(where: str) -> None:
    command = [sys.executable, "-c", WRITER, where]
    writers = [subprocess.Popen([*command, name]) for name in "abc"]
    for each in writers:
        each.communicate(timeout=120)

    assert [each.returncode for each in writers] == [0, 0, 0]
    store = SqlStore(where)
    rows = store.ledger(ANN)
    assert [row.seq for row in rows] == list(range(1, 46))
    assert store.read(ANN).version == 45
    store.close()


def test_threads_beyond_the_pool_wait_for_their_turn(where: str, keeping: Keeping) -> None:
    store = SqlStore(where, pool=2)
    numbers = count(1)

    def write(_: int) -> None:
        while True:
            try:
                write = keeping(f"t{next(numbers)}", "Answer briefly.")
                store.commit(ANN, write, version=store.read(ANN).version)
                return
            except StaleVersionError:
                pass

    with ThreadPoolExecutor(max_workers=8) as threads:
        list(threads.map(write, range(40)))

    assert store.read(ANN).version == 40
    store.close()


def test_one_turn_that_waits_in_many_workers_waits_once(store: SqlStore, waiting: Waiting) -> None:
    with ThreadPoolExecutor(max_workers=8) as threads:
        list(threads.map(store.add_pending, [waiting("t1", "Kurz, bitte.")] * 40))

    assert [each.turn.id for each in store.pending()] == ["t1"]


def test_erasing_while_others_write_leaves_whole_subjects_only(
    store: SqlStore, keeping: Keeping
) -> None:
    def write(number: int) -> None:
        while True:
            try:
                version = store.read(ANN).version
                store.commit(ANN, keeping(f"t{number}", "Answer briefly."), version=version)
                return
            except StaleVersionError:
                pass

    with ThreadPoolExecutor(max_workers=8) as threads:
        writes = [threads.submit(write, number) for number in range(40)]
        erases = [threads.submit(store.erase, ANN) for _ in range(10)]
        for each in [*writes, *erases]:
            each.result()

    kept = store.read(ANN)
    assert len(kept.rules) == len(store.ledger(ANN)) == kept.version


def test_the_migrations_lead_to_the_tables_that_the_code_uses(
    store: SqlStore, by_hand: Engine
) -> None:
    with by_hand.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table": tables.revision.name, "compare_type": True}
        )
        differences = compare_metadata(context, tables.metadata)

    assert [each for each in differences if tables.revision.name not in str(each)] == []


def test_the_tables_stand_beside_those_of_the_host(where: str, by_hand: Engine) -> None:
    with by_hand.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE chats (id integer)")

    store = SqlStore(where)

    assert store.subjects() == ()
    store.close()


def test_a_table_of_the_host_with_our_name_is_refused_and_left_alone(
    where: str, by_hand: Engine
) -> None:
    with by_hand.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE rules (id integer)")

    with pytest.raises(NotADatabaseError):
        SqlStore(where)


def test_a_database_of_a_newer_revision_is_refused(store: SqlStore, by_hand: Engine) -> None:
    with by_hand.begin() as connection:
        connection.exec_driver_sql("UPDATE henceforth_revision SET version_num = '9999'")

    with pytest.raises(NewerDatabaseError):
        SqlStore(by_hand.url.render_as_string(hide_password=False))


def test_a_schema_of_its_own_keeps_names_apart(where: str, by_hand: Engine) -> None:
    with by_hand.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE rules (id integer)")
        connection.exec_driver_sql("CREATE SCHEMA henceforth")

    store = SqlStore(f"{where}&options=-csearch_path%3Dhenceforth")

    assert store.subjects() == ()
    store.close()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("postgresql://", id="the plain scheme"),
        pytest.param("postgres://", id="its short form"),
    ],
)
def test_a_plain_address_uses_the_driver_of_the_extra(where: str, change: str) -> None:
    store = SqlStore(where.replace("postgresql+psycopg://", change))

    assert store.subjects() == ()
    store.close()


def test_a_database_that_is_not_there_is_said_without_the_password() -> None:
    with pytest.raises(StoreUnavailableError) as failed:
        SqlStore("postgresql://ann:secret@127.0.0.1:1/nowhere")

    assert failed.value.why is Unavailable.UNREACHABLE
    assert "secret" not in str(failed.value)


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_server_that_stops_is_said_and_one_that_comes_back_is_used(
    own_server: Postgres, keeping: Keeping, mode: str
) -> None:
    store = SqlStore(own_server.database("rules"))
    store.commit(ANN, keeping("t1", "Answer briefly."), version=0)
    before = store.read(ANN), store.ledger(ANN)

    own_server.stop(mode=mode)
    for call in failing_calls(store, keeping):
        with pytest.raises(StoreUnavailableError) as failed:
            call()
        assert failed.value.why is Unavailable.UNREACHABLE
    own_server.start()

    assert (store.read(ANN), store.ledger(ANN)) == before
    assert store.commit(ANN, keeping("t2", "More."), version=1) == 2
    store.close()


def failing_calls(store: SqlStore, keeping: Keeping) -> list[Callable[[], object]]:
    def commit(subject: SubjectId, version: int) -> Callable[[], object]:
        return lambda: store.commit(subject, keeping("t2", "More."), version=version)

    return [lambda: store.read(ANN), commit(ANN, 1), commit(BOB, 0), store.pending]

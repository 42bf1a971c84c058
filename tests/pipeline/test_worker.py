"""Turns that wait are labelled once, later and later when that fails, and given up in the end."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
from labelling import CONCISE, ENGLISH, ByHeart
from postgres_server import Postgres

from henceforth.pipeline.hosting import Host
from henceforth.pipeline.settings import Settings
from henceforth.pipeline.stores.memory import MemoryStore
from henceforth.pipeline.stores.protocol import Store
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.pipeline.worker import Worker
from henceforth.schemas.ids import TurnId
from henceforth.schemas.turn import Turn

NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)


class Clock:
    """A time that a test moves."""

    def __init__(self) -> None:
        self.now = NINE

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    store = MemoryStore() if request.param == "memory" else SqlStore(tmp_path / "rules.db")
    yield store
    store.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def labeller() -> ByHeart:
    return ByHeart()


@pytest.fixture
def host(store: Store, labeller: ByHeart, clock: Callable[[], datetime]) -> Host:
    settings = Settings(retries=4, retry_after=timedelta(seconds=10))
    return Host(store, settings=settings, labeller=labeller, clock=clock)


def wait(host: Host, speaker: str, text: str, id: str = "t1") -> None:
    turn = Turn(text=text, id=TurnId(id), said_at=NINE)
    anyio.run(host.session(speaker).postpone, turn, "the model did not answer")


def holding(host: Host, speaker: str) -> set[str]:
    return {rule.statement for rule in anyio.run(host.session(speaker).rules)}


def test_turns_of_all_subjects_are_labelled_and_no_longer_wait(host: Host) -> None:
    wait(host, "ann", ENGLISH)
    wait(host, "bob", CONCISE)

    tried = anyio.run(Worker(host).drain)

    assert tried == 2
    assert (holding(host, "ann"), holding(host, "bob")) == ({ENGLISH}, {CONCISE})
    assert list(host.store.pending()) == []


def test_what_fails_waits_twice_as_long_each_time_and_is_given_up(
    host: Host, labeller: ByHeart, clock: Clock
) -> None:
    labeller.broken = True
    wait(host, "ann", ENGLISH)
    waits: list[timedelta | None] = []

    while not (kept := host.store.pending()[0]).dead:
        clock.now = kept.due or clock.now
        anyio.run(Worker(host).drain)
        due = host.store.pending()[0].due
        waits.append(due - clock.now if due else None)

    assert waits == [timedelta(seconds=each) for each in (10, 20, 40)]
    assert (kept.tries, len(labeller.asked)) == (4, 3)


def test_what_is_not_due_or_given_up_is_left_alone(
    host: Host, labeller: ByHeart, clock: Clock
) -> None:
    labeller.broken = True
    wait(host, "ann", ENGLISH)
    anyio.run(Worker(host).drain)
    labeller.broken = False

    not_yet = anyio.run(Worker(host).drain)
    host.store.add_pending(host.store.pending()[0].model_copy(update={"dead": True}))
    clock.now += timedelta(days=1)
    given_up = anyio.run(Worker(host).drain)

    assert (not_yet, given_up) == (0, 0)
    assert holding(host, "ann") == set()


def test_what_is_given_up_can_be_tried_again_by_hand(host: Host) -> None:
    wait(host, "ann", ENGLISH)
    host.store.add_pending(host.store.pending()[0].model_copy(update={"dead": True}))

    anyio.run(host.session("ann").retry_pending)

    assert holding(host, "ann") == {ENGLISH}


def test_workers_side_by_side_label_each_turn_once(host: Host, labeller: ByHeart) -> None:
    for number in range(12):
        wait(host, f"speaker-{number}", ENGLISH)

    async def run() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(Worker(host).drain)

    anyio.run(run)

    assert len(labeller.asked) == 12
    assert {len(host.store.ledger(each)) for each in host.store.subjects()} == {1}


def test_a_turn_of_a_worker_that_died_is_due_again(host: Host, clock: Clock) -> None:
    wait(host, "ann", ENGLISH)
    host.store.lease(now=NINE, until=NINE + timedelta(minutes=4), limit=1)

    meanwhile = anyio.run(Worker(host).drain)
    clock.now += timedelta(minutes=4)
    later = anyio.run(Worker(host).drain)

    assert (meanwhile, later) == (0, 1)
    assert holding(host, "ann") == {ENGLISH}


def test_a_turn_that_is_erased_while_it_is_labelled_does_not_come_back(
    host: Host, labeller: ByHeart
) -> None:
    async def run(broken: bool) -> None:
        labeller.gate, labeller.broken = anyio.Event(), broken
        labeller.asked.clear()
        async with anyio.create_task_group() as group:
            group.start_soon(Worker(host).drain)
            while not labeller.asked:
                await anyio.sleep(0)
            await host.session("ann").erase()
            labeller.gate.set()

    for broken in (False, True):
        wait(host, "ann", ENGLISH)
        anyio.run(run, broken)
        assert (list(host.store.subjects()), list(host.store.pending())) == ([], [])


def test_a_store_that_is_away_is_waited_for(own_server: Postgres, labeller: ByHeart) -> None:
    store = SqlStore(own_server.database("rules"))
    host = Host(store, settings=Settings(), labeller=labeller)
    wait(host, "ann", ENGLISH)
    own_server.stop()

    async def run() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(Worker(host, poll=0.05).run)
            await anyio.sleep(0.2)
            await anyio.to_thread.run_sync(own_server.start)
            while not labeller.asked:
                await anyio.sleep(0.01)
            while await anyio.to_thread.run_sync(store.pending):
                await anyio.sleep(0.01)
            group.cancel_scope.cancel()

    anyio.run(run)

    assert holding(host, "ann") == {ENGLISH}
    store.close()

"""What comes into a ledger: once, in any order, from several writers at a time."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from threading import Barrier, Thread

import pytest
from ledgers import NINE, REGISTRY, Ledger, durable, forget, id_of, lines

from henceforth.pipeline.core.conflict import is_redacted
from henceforth.pipeline.core.fold import fold
from henceforth.pipeline.keeper import Keeper
from henceforth.pipeline.stores.memory import MemoryStore
from henceforth.pipeline.stores.protocol import PendingTurn, Store
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.ids import TurnId, subject_id
from henceforth.schemas.ledger import Relation, TurnEntry
from henceforth.schemas.plan import Row
from henceforth.schemas.rule import State
from henceforth.schemas.turn import Turn

ANN = subject_id("ann")
DAY = timedelta(days=1)


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else SqlStore(tmp_path / "rules.db")
    yield made
    made.close()


@pytest.fixture
def keeper(store: Store) -> Keeper:
    return Keeper(store, REGISTRY)


def assert_folded(store: Store) -> None:
    """The projection is what the ledger folds to."""
    entries = [row.entry for row in store.ledger(ANN)]
    folded = fold(entries, registry=REGISTRY).rules
    assert {rule.id: rule for rule in store.read(ANN).rules} == {rule.id: rule for rule in folded}


# --- One entry ---


def test_a_turn_is_kept_with_what_it_changed(keeper: Keeper, store: Store) -> None:
    turn = Ledger().say(durable("language", "zh"))

    kept = keeper.keep(ANN, turn)

    assert [change.row for change in kept.plan.changes] == [Row.NEW]
    assert (kept.version, kept.seen) == (1, False)
    assert kept.rules == store.read(ANN).rules
    assert [(row.entry, row.plan) for row in store.ledger(ANN)] == [(turn, kept.plan)]


def test_a_turn_seen_before_changes_nothing(keeper: Keeper, store: Store) -> None:
    turn = Ledger().say(durable("language", "zh"))
    keeper.keep(ANN, turn)
    before = store.read(ANN)

    again = keeper.keep(ANN, turn)

    assert (again.seen, again.version, again.plan.turn) == (True, 1, turn.turn)
    assert (again.plan.changes, again.questions) == ((), ())
    assert again.rules == before.rules
    assert store.read(ANN) == before
    assert len(store.ledger(ANN)) == 1


def test_a_turn_labelled_otherwise_replaces_what_it_said(keeper: Keeper, store: Store) -> None:
    ledger = Ledger()
    turn = ledger.say(durable("language", "zh"))
    keeper.keep(ANN, turn)
    relabelled = turn.model_copy(
        update={"labels": turn.labels.model_copy(update={"labels": (durable("tone", "warm"),)})}
    )

    keeper.keep(ANN, relabelled)

    assert lines(store.read(ANN).rules) == ["tone/replies=warm"]
    assert_folded(store)


@pytest.mark.parametrize("seen", [False, True])
def test_a_turn_that_is_labelled_no_longer_waits(keeper: Keeper, store: Store, seen: bool) -> None:
    turn = Ledger().say(durable("language", "zh"), id="t1")
    if seen:
        keeper.keep(ANN, turn)
    waiting = Turn(id=TurnId("t1"), text="Chinese", said_at=NINE)
    store.add_pending(PendingTurn(subject=ANN, turn=waiting, reason="no model", since=NINE))

    keeper.keep(ANN, turn, labelled=[turn.turn])

    assert not store.pending(ANN)
    assert lines(store.read(ANN).rules) == ["language/replies=zh"]


# --- In any order ---


def test_a_late_turn_is_folded_where_it_was_said(keeper: Keeper, store: Store) -> None:
    ledger = Ledger()
    early, late = ledger.say(durable("language", "zh")), ledger.say(durable("language", "en"))
    keeper.keep(ANN, late)

    kept = keeper.keep(ANN, early)

    assert kept.plan.turn == early.turn
    assert lines(store.read(ANN).rules) == ["language/replies=en"]
    assert store.read(ANN).head == ledger.fold().head
    assert_folded(store)


def test_several_entries_are_kept_at_once(keeper: Keeper, store: Store) -> None:
    ledger = Ledger()
    ledger.say(durable("content", "formula"))
    ledger.say(durable("content", "units"))
    ledger.say(forget("content", "units"))

    kept = keeper.keep(ANN, *ledger.entries)

    assert kept.version == 1
    assert kept.plan.turn == ledger.fold().plans[-1].turn
    assert len(store.ledger(ANN)) == 3
    assert_folded(store)


def test_an_edit_takes_out_what_is_no_longer_said(keeper: Keeper, store: Store) -> None:
    ledger = Ledger()
    turn = ledger.say(durable("language", "zh"), durable("tone", "warm"))
    keeper.keep(ANN, turn)

    keeper.keep(ANN, ledger.say(durable("language", "en"), id=turn.turn, at=turn.said_at))

    assert lines(store.read(ANN).rules) == ["language/replies=en"]
    assert len(store.read(ANN).rules) == 1
    assert len(store.ledger(ANN)) == 2
    assert_folded(store)


def test_an_undo_tells_all_that_differs_by_it(keeper: Keeper, store: Store) -> None:
    ledger = Ledger()
    first, second = ledger.say(durable("language", "zh")), ledger.say(durable("language", "en"))
    keeper.keep(ANN, first, second)
    ledger.undo(second)

    kept = keeper.keep(ANN, ledger.entries[-1])

    assert [change.row for change in kept.plan.changes] == [Row.UNDO]
    assert [rule.state for rule in kept.plan.changes[0].rules] == [State.ACTIVE]
    assert [rule.id for rule in store.read(ANN).rules] == [id_of(first)]
    assert_folded(store)


def test_an_answer_is_told_as_the_plan_of_its_turn(keeper: Keeper, store: Store) -> None:
    ledger = Ledger()
    first = ledger.say(durable("content", "formula"))
    ledger.say(durable("content", "units"))
    last = ledger.say(forget("content"))
    asked = keeper.keep(ANN, *ledger.entries)
    assert [question.turn for question in asked.questions] == [last.turn]
    ledger.link(last, id_of(first), Relation.SAME)

    kept = keeper.keep(ANN, ledger.entries[-1])

    assert kept.plan.turn == last.turn
    assert [change.row for change in kept.plan.changes] == [Row.FORGET]
    assert not kept.questions
    assert not store.read(ANN).questions
    assert_folded(store)


def test_a_link_on_a_turn_that_was_undone_changes_nothing(keeper: Keeper, store: Store) -> None:
    ledger = Ledger()
    first, second = ledger.say(durable("content", "formula")), ledger.say(forget("content"))
    ledger.undo(second)
    keeper.keep(ANN, *ledger.entries)
    ledger.link(second, id_of(first), Relation.SAME)

    kept = keeper.keep(ANN, ledger.entries[-1])

    assert kept.plan.changes == ()
    assert lines(store.read(ANN).rules) == ["content/replies=formula"]


def test_only_new_questions_are_told(keeper: Keeper) -> None:
    ledger = Ledger()
    ledger.say(durable("content", "formula"))
    ledger.say(durable("content", "units"))
    first = keeper.keep(ANN, *ledger.entries, ledger.say(forget("content")))

    second = keeper.keep(ANN, ledger.say(forget("content")))

    assert len(first.questions) == len(second.questions) == 1
    assert first.questions != second.questions


# --- Redaction in its time ---


def test_text_goes_by_itself_when_its_window_is_over(store: Store) -> None:
    keeper = Keeper(store, REGISTRY, undo_window=DAY)
    ledger = Ledger()
    rule = ledger.say(durable("content", "no-pork", statement="No pork"))
    keeper.keep(ANN, rule)
    keeper.keep(ANN, ledger.say(forget("content", "no-pork")))
    within = ledger.say(at=ledger.now + DAY - timedelta(seconds=1))
    keeper.keep(ANN, within)
    assert store.read(ANN).rules[0].statement == "No pork"

    kept = keeper.keep(ANN, ledger.say(at=ledger.now + timedelta(seconds=1)))

    assert (kept.version, kept.rules) == (store.read(ANN).version, store.read(ANN).rules)
    assert is_redacted(store.read(ANN).rules[0].value)
    assert "pork" not in "".join(row.model_dump_json() for row in store.ledger(ANN))
    assert_folded(store)


def test_what_was_put_right_goes_by_itself_too(store: Store) -> None:
    keeper = Keeper(store, REGISTRY, undo_window=DAY)
    ledger = Ledger()
    keeper.keep(ANN, ledger.say(durable("addressing/user-name", "Jon")))
    keeper.keep(ANN, ledger.say(durable("addressing/user-name", "John", revises="correction")))

    keeper.keep(ANN, ledger.say(at=ledger.now + DAY))

    assert [rule.value for rule in store.read(ANN).rules if not is_redacted(rule.value)] == ["John"]


def test_without_a_window_text_is_retained(store: Store) -> None:
    keeper = Keeper(store, REGISTRY)
    ledger = Ledger()
    keeper.keep(ANN, ledger.say(durable("content", "no-pork")))
    keeper.keep(ANN, ledger.say(forget("content", "no-pork")))

    keeper.keep(ANN, ledger.say(at=ledger.now + 1000 * DAY))

    assert store.read(ANN).rules[0].value == "no-pork"


# --- Several writers ---


def at_once(*writers: tuple[Store, list[TurnEntry]]) -> None:
    """Each writer keeps its turns, all at the same time; what one of them raises is raised."""
    start, raised = Barrier(len(writers)), list[Exception]()

    def write(store: Store, turns: list[TurnEntry]) -> None:
        start.wait()
        try:
            for turn in turns:
                Keeper(store, REGISTRY).keep(ANN, turn)
        except Exception as error:
            raised.append(error)

    threads = [Thread(target=write, args=writer) for writer in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


@pytest.mark.parametrize("files", ["one connection", "two connections"])
def test_two_writers_of_one_subject_lose_no_update(tmp_path: Path, files: str) -> None:
    path = tmp_path / "rules.db"
    first = SqlStore(path)
    second = first if files == "one connection" else SqlStore(path)
    ledger = Ledger()
    mine, yours = (
        [ledger.say(durable(f"content/{who}-{number}", "x")) for number in range(20)]
        for who in ("mine", "yours")
    )

    at_once((first, mine), (second, yours))

    assert len(lines(first.read(ANN).rules)) == 40
    assert (first.read(ANN).version, len(first.ledger(ANN))) == (40, 40)
    assert_folded(first)
    second.close()
    first.close()


def test_the_same_turn_from_two_writers_is_kept_once(tmp_path: Path) -> None:
    store = SqlStore(tmp_path / "rules.db")
    turn = Ledger().say(durable("language", "zh"))

    at_once(*[(store, [turn])] * 4)

    assert len(store.ledger(ANN)) == 1
    assert len(store.read(ANN).rules[0].evidence) == 1
    store.close()

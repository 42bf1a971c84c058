"""What holds for every store; a new store joins with a subclass that gives a `store` fixture."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from henceforth.pipeline.errors import (
    NotWaitingError,
    StaleVersionError,
    UnknownRowError,
    UnusableIdError,
)
from henceforth.pipeline.stores.memory import MemoryStore
from henceforth.pipeline.stores.protocol import (
    PendingTurn,
    Position,
    Recorded,
    Snapshot,
    Store,
    Write,
)
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.ids import QuestionId, RuleId, SubjectId, TurnId, subject_id
from henceforth.schemas.labels import Kind, NoneReason, Polarity, TurnLabels
from henceforth.schemas.ledger import LedgerEntry, TurnEntry, VoidEntry
from henceforth.schemas.plan import Ask, Change, Plan, Question, Row
from henceforth.schemas.rule import Evidence, Rule
from henceforth.schemas.scope import EVERYWHERE
from henceforth.schemas.turn import Turn

ANN = subject_id("ann")
BOB = subject_id("bob")
NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)

TEXTS = [
    pytest.param("回答请用中文，简短一点。", id="Chinese"),
    pytest.param("اكتب بالعربية \u202eالآن\u202c", id="right to left with overrides"),
    pytest.param("👩🏽\u200d💻 nur Emoji 🏳️\u200d🌈", id="emoji with joiners"),
    pytest.param("e\u0301 is not \u00e9", id="two normal forms stay two"),
    pytest.param("nul \0, bell \a, separators \u2028\u2029\x85", id="control characters"),
    pytest.param("half a pair \ud83d and \udc69 the wrong way", id="lone surrogates"),
    pytest.param('"}]\n--\'; DROP TABLE rules; {"schema_version": 99}', id="hostile to the format"),
    pytest.param("x" * 200_000, id="200,000 characters"),
]


def rule(name: str, statement: str = "Answer briefly.") -> Rule:
    return Rule(
        id=RuleId(name),
        kind=Kind.PREFERENCE,
        dimension="length",
        target="replies",
        value="concise",
        polarity=Polarity.DO,
        statement=statement,
        scope=EVERYWHERE,
        evidence=(Evidence(turn=TurnId("t1"), label=0, quote=(statement,), said_at=NINE),),
        recorded_at=NINE,
    )


def entry(turn: str, *, text_hash: str = "sha256:1", said_at: datetime = NINE) -> TurnEntry:
    return TurnEntry(
        turn=TurnId(turn),
        text_hash=text_hash,
        said_at=said_at,
        labels=TurnLabels(none_reason=NoneReason.QUESTION),
        recorded_at=NINE,
    )


def plan(turn: str, *rules: Rule) -> Plan:
    return Plan(turn=TurnId(turn), changes=(Change(row=Row.NEW, label=0, rules=rules),))


def question(name: str) -> Question:
    return Question(
        id=QuestionId(name), ask=Ask.WHICH_RULE, turn=TurnId("t1"), label=0, words=f"which {name}?"
    )


def waiting(
    turn: str,
    *,
    subject: SubjectId = ANN,
    minute: int = 0,
    text: str = "Kurz, bitte.",
    tries: int = 1,
) -> PendingTurn:
    return PendingTurn(
        subject=subject,
        turn=Turn(id=TurnId(turn), text=text, said_at=NINE),
        reason="the model did not answer",
        tries=tries,
        since=NINE + timedelta(minutes=minute),
    )


def names(snapshot: Snapshot) -> list[str]:
    return [rule.id for rule in snapshot.rules]


def everything(store: Store, subject: SubjectId) -> object:
    return store.read(subject), store.ledger(subject), store.pending(subject)


USES: dict[str, Callable[[Store, str], object]] = {
    "read": lambda store, id: store.read(SubjectId(id)),
    "ledger": lambda store, id: store.ledger(SubjectId(id)),
    "seen": lambda store, id: store.seen(ANN, TurnId(id)),
    "pending": lambda store, id: store.pending(SubjectId(id)),
    "erase": lambda store, id: store.erase(SubjectId(id)),
    "commit": lambda store, id: store.commit(SubjectId(id), Write(), version=0),
    "rule": lambda store, id: store.commit(ANN, Write(rules=(rule(id),)), version=0),
    "labelled": lambda store, id: store.commit(ANN, Write(labelled=(TurnId(id),)), version=0),
}


class StoreContract:
    """The promises of `Store`."""

    @pytest.fixture
    def store(self) -> Iterator[Store] | Store:
        raise NotImplementedError

    def test_an_unknown_subject_reads_as_the_empty_snapshot(self, store: Store) -> None:
        assert store.read(ANN) == Snapshot()
        assert list(store.ledger(ANN)) == []
        assert list(store.pending(ANN)) == []
        assert store.seen(ANN, TurnId("t1")) is None

    def test_all_that_was_written_is_read_again(self, store: Store) -> None:
        tokyo = timezone(timedelta(hours=9))
        head = Position(said_at=NINE.astimezone(tokyo), index=3, turn="t1")
        written = Write(
            entries=((entry("t1"), plan("t1", rule("r1"))),),
            rules=(rule("r1"),),
            questions=(question("q1"),),
            head=head,
        )

        version = store.commit(ANN, written, version=0)

        assert version == 1
        assert store.read(ANN) == Snapshot(
            version=1, rules=(rule("r1"),), questions=(question("q1"),), head=head
        )
        assert store.read(ANN).head == head
        assert list(store.ledger(ANN)) == [
            Recorded(seq=1, entry=entry("t1"), plan=plan("t1", rule("r1")))
        ]

    def test_the_offset_of_a_time_is_kept_as_it_gives_the_local_day(self, store: Store) -> None:
        late_in_lima = datetime(2026, 3, 1, 23, 30, tzinfo=timezone(timedelta(hours=-5)))

        store.commit(ANN, Write(entries=((entry("t1", said_at=late_in_lima), None),)), version=0)

        seen = store.seen(ANN, TurnId("t1"))
        assert seen is not None
        assert seen.said_at.date() == late_in_lima.date()

    def test_rows_stand_in_arrival_order_whatever_was_said_first(self, store: Store) -> None:
        later, earlier = entry("t2", said_at=NINE), entry("t1", said_at=NINE - timedelta(days=1))
        void: LedgerEntry = VoidEntry(turn=TurnId("t2"), recorded_at=NINE)

        store.commit(ANN, Write(entries=((later, None),)), version=0)
        store.commit(ANN, Write(entries=((earlier, None), (void, None))), version=1)

        rows = store.ledger(ANN)
        assert [row.seq for row in rows] == [1, 2, 3]
        assert [row.entry for row in rows] == [later, earlier, void]

    def test_a_row_once_written_stays_as_it_is(self, store: Store) -> None:
        store.commit(ANN, Write(entries=((entry("t1"), plan("t1", rule("r1"))),)), version=0)
        before = store.ledger(ANN)[0]

        store.commit(ANN, Write(entries=((entry("t1", text_hash="sha256:2"), None),)), version=1)

        assert store.ledger(ANN)[0] == before

    def test_a_rewritten_row_takes_the_place_of_its_number_alone(self, store: Store) -> None:
        rows = tuple((entry(turn), plan(turn, rule(turn))) for turn in ("t1", "t2", "t3"))
        store.commit(ANN, Write(entries=rows), version=0)
        redacted = Recorded(seq=2, entry=entry("t2", text_hash="redacted"))

        store.commit(ANN, Write(rewritten={2: redacted}), version=1)

        first, second, third = store.ledger(ANN)
        assert second == redacted
        assert (first.entry, third.entry) == (entry("t1"), entry("t3"))
        assert store.seen(ANN, TurnId("t2")) == redacted.entry

    @pytest.mark.parametrize("seq", [0, 3, -1])
    def test_a_write_that_cannot_be_whole_changes_nothing(self, store: Store, seq: int) -> None:
        rows = ((entry("t1"), None), (entry("t2"), None))
        store.commit(ANN, Write(entries=rows, rules=(rule("r1"),)), version=0)
        store.add_pending(waiting("t3"))
        before = everything(store, ANN)

        with pytest.raises(UnknownRowError):
            store.commit(
                ANN,
                Write(
                    entries=((entry("t3"), None),),
                    rules=(rule("r2"),),
                    removed=(RuleId("r1"),),
                    rewritten={
                        1: Recorded(seq=1, entry=entry("x")),
                        seq: Recorded(seq=seq, entry=entry("y")),
                    },
                    labelled=(TurnId("t3"),),
                ),
                version=1,
            )

        assert everything(store, ANN) == before

    @pytest.mark.parametrize(
        ("written", "version"),
        [
            pytest.param(0, 3, id="a version of a subject that nobody has written"),
            pytest.param(2, 0, id="the first write of a subject that is there"),
            pytest.param(2, 1, id="one behind"),
            pytest.param(2, 3, id="one ahead"),
        ],
    )
    def test_a_stale_write_is_refused_and_changes_nothing(
        self, store: Store, written: int, version: int
    ) -> None:
        for at in range(written):
            store.commit(ANN, Write(entries=((entry(f"t{at}"), None),)), version=at)
        store.add_pending(waiting("t9"))
        before = everything(store, ANN)

        with pytest.raises(StaleVersionError) as refused:
            store.commit(
                ANN,
                Write(
                    entries=((entry("t9"), None),), rules=(rule("r9"),), labelled=(TurnId("t9"),)
                ),
                version=version,
            )

        assert (refused.value.subject, refused.value.expected) == (ANN, version)
        assert refused.value.found == written
        assert everything(store, ANN) == before

    def test_of_writers_that_race_none_loses_an_update(self, store: Store) -> None:
        def write_five(writer: int) -> list[int]:
            return [add(store, rule(f"{writer}-{each}")) for each in range(5)]

        with ThreadPoolExecutor(max_workers=4) as pool:
            versions = [each for done in pool.map(write_five, range(4)) for each in done]

        expected = {f"{writer}-{each}" for writer in range(4) for each in range(5)}
        assert set(names(store.read(ANN))) == expected
        assert sorted(versions) == list(range(1, 21))
        assert [row.seq for row in store.ledger(ANN)] == list(range(1, 21))

    def test_seen_gives_the_latest_entry_of_the_turn(self, store: Store) -> None:
        edited = entry("t1", text_hash="sha256:edited")
        void = VoidEntry(turn=TurnId("t1"), recorded_at=NINE)
        rows = ((entry("t1"), None), (edited, None), (entry("t2"), None), (void, None))

        store.commit(ANN, Write(entries=rows), version=0)

        assert store.seen(ANN, TurnId("t1")) == edited
        assert store.seen(ANN, TurnId("t3")) is None

    def test_questions_are_replaced_as_a_whole(self, store: Store) -> None:
        first = (question("b"), question("a"))
        store.commit(ANN, Write(questions=first), version=0)
        assert store.read(ANN).questions == first

        store.commit(ANN, Write(questions=(question("c"), question("a"))), version=1)
        assert store.read(ANN).questions == (question("c"), question("a"))

        store.commit(ANN, Write(), version=2)
        assert store.read(ANN).questions == ()

    def test_a_rule_written_again_keeps_its_place(self, store: Store) -> None:
        store.commit(ANN, Write(rules=(rule("z"), rule("m"))), version=0)
        store.commit(ANN, Write(rules=(rule("a"),)), version=1)

        store.commit(ANN, Write(rules=(rule("b"), rule("z", "Changed."))), version=2)

        kept = store.read(ANN)
        assert names(kept) == ["z", "m", "a", "b"]
        assert kept.rules[0].statement == "Changed."

    def test_a_removed_rule_is_gone_and_comes_back_as_a_new_one(self, store: Store) -> None:
        store.commit(ANN, Write(rules=(rule("a"), rule("b"), rule("c"))), version=0)

        store.commit(ANN, Write(removed=(RuleId("a"), RuleId("unknown"))), version=1)
        assert names(store.read(ANN)) == ["b", "c"]

        store.commit(ANN, Write(rules=(rule("a"),)), version=2)
        assert names(store.read(ANN)) == ["b", "c", "a"]

    def test_of_two_rules_with_one_id_the_last_counts(self, store: Store) -> None:
        store.commit(ANN, Write(rules=(rule("a", "First."), rule("a", "Last."))), version=0)

        assert [each.statement for each in store.read(ANN).rules] == ["Last."]

    def test_a_turn_that_waits_again_replaces_its_last_try(self, store: Store) -> None:
        store.add_pending(waiting("t1"))

        store.add_pending(waiting("t1", tries=2))

        assert list(store.pending(ANN)) == [waiting("t1", tries=2)]

    def test_turns_wait_the_oldest_first(self, store: Store) -> None:
        middle, last, first = (
            waiting("a", minute=1),
            waiting("b", minute=2, subject=BOB),
            waiting("c", minute=0),
        )
        for each in (middle, last, first):
            store.add_pending(each)

        assert list(store.pending()) == [first, middle, last]
        assert list(store.pending(ANN)) == [first, middle]

    def test_labels_for_a_turn_that_no_longer_waits_are_refused_whole(self, store: Store) -> None:
        store.add_pending(waiting("t1"))
        write = Write(entries=((entry("t1"), None),), labelled=(TurnId("t1"),), if_waiting=True)
        store.erase(ANN)

        with pytest.raises(NotWaitingError):
            store.commit(ANN, write, version=0)

        assert (store.read(ANN), list(store.ledger(ANN))) == (Snapshot(), [])
        store.add_pending(waiting("t1"))
        assert store.commit(ANN, write, version=0) == 1

    def test_a_try_is_put_back_only_for_a_turn_that_still_waits(self, store: Store) -> None:
        gone = store.put_back(waiting("t1", tries=2))
        store.add_pending(waiting("t1"))

        put_back = store.put_back(waiting("t1", tries=2))

        assert (gone, put_back) == (False, True)
        assert list(store.pending(ANN)) == [waiting("t1", tries=2)]

    def test_a_turn_that_is_taken_is_due_again_when_its_time_is_up(self, store: Store) -> None:
        store.add_pending(waiting("t1"))
        at, later = NINE + timedelta(hours=1), NINE + timedelta(hours=2)

        taken = store.lease(now=at, until=later, limit=5)
        while_taken = store.lease(now=at, until=later, limit=5)
        again = store.lease(now=later, until=later, limit=5)

        assert [each.turn.id for each in taken] == ["t1"]
        assert list(while_taken) == []
        assert list(again) == list(taken) == list(store.pending())

    def test_of_turns_that_wait_those_due_are_taken_and_no_more_than_asked(
        self, store: Store
    ) -> None:
        at, later = NINE + timedelta(hours=1), NINE + timedelta(hours=2)
        store.add_pending(waiting("t1").model_copy(update={"due": later}))
        store.add_pending(waiting("t2").model_copy(update={"dead": True}))
        store.add_pending(waiting("t3").model_copy(update={"due": at}))
        store.add_pending(waiting("t4", subject=BOB, minute=1))
        store.add_pending(waiting("t5", subject=BOB, minute=2))

        taken = [store.lease(now=at, until=later, limit=limit) for limit in (2, 2)]

        assert sorted(each.turn.id for some in taken for each in some) == ["t3", "t4", "t5"]
        assert [len(some) for some in taken] == [2, 1]

    def test_of_workers_that_race_each_turn_goes_to_one(self, store: Store) -> None:
        for number in range(40):
            store.add_pending(waiting(f"t{number}"))
        at, later = NINE + timedelta(hours=1), NINE + timedelta(hours=2)

        with ThreadPoolExecutor(max_workers=4) as pool:
            takes = [pool.submit(store.lease, now=at, until=later, limit=3) for _ in range(20)]
            taken = [each.turn.id for take in takes for each in take.result()]

        assert len(taken) == len(set(taken))
        assert set(taken) <= {f"t{number}" for number in range(40)}

    def test_a_turn_stops_waiting_with_the_write_of_its_labels(self, store: Store) -> None:
        store.add_pending(waiting("t1"))
        store.add_pending(waiting("t2"))

        store.commit(
            ANN, Write(entries=((entry("t1"), None),), labelled=(TurnId("t1"),)), version=0
        )

        assert list(store.pending(ANN)) == [waiting("t2")]

    def test_subjects_are_those_with_a_ledger_and_sorted(self, store: Store) -> None:
        for subject in (BOB, SubjectId("acme/zoë"), ANN):
            store.commit(subject, Write(entries=((entry("t1"), None),)), version=0)
        store.add_pending(waiting("t1", subject=SubjectId("default/waits-only")))

        assert list(store.subjects()) == ["acme/zoë", ANN, BOB]

    def test_erase_leaves_nothing_of_the_subject_and_all_of_the_others(self, store: Store) -> None:
        for subject in (ANN, BOB):
            fill(store, subject)
        bobs = everything(store, BOB)

        store.erase(ANN)
        store.erase(ANN)

        assert everything(store, ANN) == (Snapshot(), (), ())
        assert store.seen(ANN, TurnId("t1")) is None
        assert list(store.subjects()) == [BOB]
        assert everything(store, BOB) == bobs
        assert store.commit(ANN, Write(), version=0) == 1

    @pytest.mark.parametrize(
        "other",
        [
            pytest.param("default/%", id="a wildcard"),
            pytest.param("default/an_", id="a one letter wildcard"),
            pytest.param("default/ANN", id="another case"),
            pytest.param("default/ann ", id="a space more"),
            pytest.param("default/ann/ann", id="a longer path"),
            pytest.param("default/' OR '1'='1", id="a quote"),
        ],
    )
    def test_no_call_of_one_subject_reaches_another(self, store: Store, other: str) -> None:
        stranger = SubjectId(other)
        fill(store, ANN)
        before = everything(store, ANN)
        assert everything(store, stranger) == (Snapshot(), (), ())
        assert store.seen(stranger, TurnId("t1")) is None

        fill(store, stranger)
        store.commit(
            stranger,
            Write(
                removed=(RuleId("r1"),),
                rewritten={1: Recorded(seq=1, entry=entry("t1", text_hash="redacted"))},
                labelled=(TurnId("t2"),),
            ),
            version=1,
        )
        store.erase(stranger)

        assert everything(store, ANN) == before

    @pytest.mark.parametrize("text", TEXTS)
    def test_every_text_comes_back_as_it_was(self, store: Store, text: str) -> None:
        store.commit(ANN, Write(rules=(rule("r1", text),)), version=0)
        store.add_pending(waiting("t1", text=text))

        kept = store.read(ANN).rules[0]
        assert kept.statement == text
        assert kept.evidence[0].quote == (text,)
        assert store.pending(ANN)[0].turn.text == text

    @pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
    @pytest.mark.parametrize("id", ["", "nul\0", "half a pair \ud83d"])
    def test_an_id_that_not_every_database_keeps_is_refused(
        self, store: Store, use: Callable[[Store, str], object], id: str
    ) -> None:
        with pytest.raises(UnusableIdError):
            use(store, id)

        assert list(store.subjects()) == []


def add(store: Store, new: Rule) -> int:
    """Add a rule and a row as a careful writer does: read, write, and again when refused."""
    while True:
        version = store.read(ANN).version
        try:
            return store.commit(
                ANN, Write(entries=((entry(new.id), None),), rules=(new,)), version=version
            )
        except StaleVersionError:
            continue


def fill(store: Store, subject: SubjectId) -> None:
    write = Write(
        entries=((entry("t1"), plan("t1", rule("r1"))),),
        rules=(rule("r1"),),
        questions=(question("q1"),),
        head=Position(said_at=NINE, index=0, turn="t1"),
    )
    store.commit(subject, write, version=0)
    store.add_pending(waiting("t2", subject=subject))


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> Store:
        return MemoryStore()


class TestSqliteStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = SqlStore(f"sqlite:///{tmp_path / 'rules.db'}")
        yield store
        store.close()


class TestSqliteStoreInMemory(StoreContract):
    @pytest.fixture
    def store(self) -> Iterator[Store]:
        store = SqlStore("sqlite://")
        yield store
        store.close()


@pytest.fixture(scope="module")
def postgres(new_database: Callable[[], str]) -> Iterator[SqlStore]:
    store = SqlStore(new_database())
    yield store
    store.close()


class TestPostgresStore(StoreContract):
    @pytest.fixture
    def store(self, postgres: SqlStore) -> Iterator[Store]:
        yield postgres
        for subject in {*postgres.subjects(), *(each.subject for each in postgres.pending())}:
            postgres.erase(subject)

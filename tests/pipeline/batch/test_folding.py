"""Folding label rows is what a session does, turn by turn."""

from datetime import timedelta

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from henceforth import MemoryStore, Session, Settings, default_registry
from henceforth.pipeline.batch.folding import Terms, fold_rows
from henceforth.pipeline.batch.label_files import PARTS, part_of
from henceforth.pipeline.batch.row import LabelRow, labelled_row
from henceforth.schemas.ids import subject_id
from henceforth.schemas.outcome import Labelled

from .conftest import BY, RuleLabeller, labels_of, said

ANA = subject_id("ana")
TERMS = Terms(registry=default_registry(), undo_window=timedelta(days=7))
TEXTS = ("answer in German", "answer in Dutch", "keep it short", "forget length", "hello")


def rows(texts: list[str]) -> list[LabelRow]:
    turns = [said(text, index=n) for n, text in enumerate(texts)]
    return [
        labelled_row(
            each,
            Labelled(labels=labels_of(each.turn), labelled_by=BY),
            tenant="default",
            language=None,
        )
        for each in turns
    ]


@settings(deadline=None)
@given(st.lists(st.sampled_from(TEXTS), max_size=8), st.randoms())
def test_the_order_and_repetition_of_rows_do_not_matter(texts: list[str], chance: object) -> None:
    ordered = rows(texts)
    shuffled = [*ordered, *ordered[:3]]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a Random

    assert fold_rows(ANA, shuffled, TERMS) == fold_rows(ANA, ordered, TERMS)


def test_a_fold_of_rows_keeps_what_a_session_keeps() -> None:
    texts = ["answer in German", "keep it short", "answer in Dutch", "forget length"]
    store = MemoryStore()
    turns = [said(text, index=n).turn for n, text in enumerate(texts)]

    async def observe() -> None:
        settings = Settings(undo_window=timedelta(days=7))
        session = Session("ana", store=store, labeller=RuleLabeller(), settings=settings)
        for turn in turns:
            await session.observe(turn)

    anyio.run(observe)

    write = fold_rows(ANA, rows(texts), TERMS).write

    kept = store.read(ANA).rules
    assert [(r.id, r.state, r.value) for r in write.rules] == [
        (r.id, r.state, r.value) for r in kept
    ]
    assert [plan.changes[0].row for _, plan in write.entries if plan] == [
        row.plan.changes[0].row for row in store.ledger(ANA) if row.plan
    ]


def test_of_two_rows_of_one_turn_the_same_counts_in_any_order() -> None:
    one, other = rows(["answer in German"]), rows(["answer in Dutch"])

    assert fold_rows(ANA, one + other, TERMS) == fold_rows(ANA, other + one, TERMS)


def test_subjects_are_dealt_evenly_and_always_alike() -> None:
    dealt = [part_of(f"default/person-{n}") for n in range(10_000)]

    assert set(dealt) == set(range(PARTS))
    assert part_of("default/ana") == 55

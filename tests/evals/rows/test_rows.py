"""Third-party rows: scored in the order of their format, planted labellers as they must be."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from henceforth.evals.behaviour.answers import Answered
from henceforth.evals.data.read import read_lines
from henceforth.evals.data.wanted import Unit
from henceforth.evals.labels.planted import Labeller, always_durable, always_none
from henceforth.evals.rows.row_scores import RowScores, score_rows
from henceforth.evals.rows.row_units import row_units
from henceforth.evals.rows.rows import Row
from henceforth.schemas.dimensions import Registry
from henceforth.schemas.labels import Intent, Label, NoneReason, Span, TurnLabels
from henceforth.schemas.scope import Scope
from henceforth.schemas.turn import Turn

ROWS = Path(__file__).parents[3] / "fixtures" / "evals" / "rows.jsonl"
Answering = Callable[[Labeller, Iterable[Unit]], dict[str, Answered]]


@pytest.fixture(scope="module")
def rows() -> tuple[Row, ...]:
    return read_lines(ROWS, Row)


@pytest.fixture
def scored(
    rows: tuple[Row, ...], answered_by: Answering, registry: Registry
) -> Callable[[Labeller], RowScores]:
    units = [unit for row in rows for unit in row_units(row)]

    def score(labeller: Labeller) -> RowScores:
        return score_rows(rows, answered_by(labeller, units), registry=registry)

    return score


RIGHT = {
    "row-001/0": Label(
        intent=Intent.DURABLE, dimension="addressing", target="signature", value="Ada"
    ),
    "row-002/1": Label(intent=Intent.THIS_TASK, dimension="language", value="fr"),
    "row-003/seed-0": Label(
        intent=Intent.DURABLE, dimension="format", target="tables", value="tables"
    ),
    "row-003/seed-1": Label(intent=Intent.DURABLE, dimension="language", value="de"),
    "row-003/0": Label(intent=Intent.FORGET, dimension="format", target="tables", value="tables"),
    "row-004/2": Label(intent=Intent.INFERRED, dimension="format", value="newest-first"),
    "row-006/0": Label(
        intent=Intent.DURABLE, dimension="code_style", target="indentation", value="tabs"
    ),
    "row-006/1": Label(
        intent=Intent.DURABLE,
        dimension="code_style",
        target="indentation",
        value="spaces",
        statement="Indent with spaces",
    ),
    "row-007/0": Label(intent=Intent.DURABLE, dimension="length", value="max 80 words"),
    "row-007/1": Label(
        intent=Intent.DURABLE,
        dimension="length",
        value="max 120 words",
        statement="Answers under 120 words",
    ),
    "row-010/0": Label(
        intent=Intent.DURABLE,
        dimension="permission",
        target="edits",
        value="generated-files",
        scope=Scope(repository="kiosk"),
    ),
}


def right(turn: Turn) -> TurnLabels:
    label = RIGHT.get(turn.id)
    if label is None:
        return TurnLabels(none_reason=NoneReason.QUESTION)
    return TurnLabels(labels=(label,))


def test_a_right_labeller_gets_full_marks(scored: Callable[[Labeller], RowScores]) -> None:
    found = scored(right)

    assert (found.false_store.hits, found.false_store.of) == (0, 2)
    assert (found.recall.hits, found.recall.of) == (4, 4)
    assert found.delete_recall.value == 1
    assert found.intent.value == 1
    assert found.scope.value == 1
    assert found.dimension.value == 1
    assert found.states.value == 1
    assert found.retrievals.value == 1
    assert not found.failed
    assert not found.failed_states


def test_a_silent_labeller_stores_nothing(scored: Callable[[Labeller], RowScores]) -> None:
    found = scored(always_none)

    assert found.false_store.value == 0
    assert found.recall.value == 0
    assert found.delete_recall.value == 0
    assert found.scope.of == 0
    assert found.states.value == 0


def test_a_labeller_that_always_stores_fails_every_empty_row(
    scored: Callable[[Labeller], RowScores],
) -> None:
    found = scored(always_durable)

    assert found.false_store.value == 1
    assert found.false_store_hard.value == 1
    assert found.false_store_by_language["es"].value == 1
    assert found.recall.value == 1
    assert found.delete_recall.value == 0


def test_the_figures_stand_in_the_order_of_the_format() -> None:
    fields = list(RowScores.model_fields)

    asked = ["false_store", "recall", "intent", "scope", "dimension", "states", "retrievals"]
    assert [name for name in fields if name in asked] == asked


def test_a_replacement_is_told_by_what_it_ends(scored: Callable[[Labeller], RowScores]) -> None:
    def misses_the_first(turn: Turn) -> TurnLabels:
        return always_none(turn) if turn.id == "row-006/0" else right(turn)

    found = scored(misses_the_first)

    assert "row-006" in [each.id for each in found.failed]


def test_a_forget_that_takes_the_wrong_rule_is_no_deletion(
    scored: Callable[[Labeller], RowScores],
) -> None:
    def misses(turn: Turn) -> TurnLabels:
        if turn.id != "row-003/0":
            return right(turn)
        wrong = Label(intent=Intent.FORGET, dimension="units", target="currency", value="EUR")
        return TurnLabels(labels=(wrong,))

    assert scored(misses).delete_recall.value == 0


def test_a_rule_for_this_chat_has_the_scope_of_the_chat(
    scored: Callable[[Labeller], RowScores],
) -> None:
    def for_the_chat(turn: Turn) -> TurnLabels:
        labels = right(turn)
        if turn.id != "row-002/1":
            return labels
        chat = labels.labels[0].model_copy(update={"span": Span.CONVERSATION})
        return TurnLabels(labels=(chat,))

    assert scored(for_the_chat).scope.value != 1

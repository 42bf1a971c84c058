"""Label scores: planted labellers get what they must, gold gets all, and sums are right by hand."""

from collections.abc import Mapping

import pytest

from henceforth.evals.data.cases import Case
from henceforth.evals.data.gold import gold_labels
from henceforth.evals.data.turns import TurnRow
from henceforth.evals.data.wanted import Unit
from henceforth.evals.labels.class_scores import class_scores
from henceforth.evals.labels.label_scores import LabelScores, label_scores
from henceforth.evals.labels.planted import (
    PLANTED,
    Labeller,
    always_durable,
    always_none,
    at_random,
)
from henceforth.evals.labels.unit_score import Classes, score_unit
from henceforth.evals.labels.units import case_units, turn_unit
from henceforth.schemas.dimensions import Registry
from henceforth.schemas.labels import Intent, Label, NoneReason, TurnLabels


@pytest.fixture(scope="session")
def case_turns(cases: Mapping[str, Case], registry: Registry) -> list[Unit]:
    units = [unit for case in cases.values() for unit in case_units(case, registry=registry)]
    return [unit for unit in units if unit.scored]


@pytest.fixture(scope="session")
def dev_turns(dev: tuple[TurnRow, ...], registry: Registry) -> list[Unit]:
    return [turn_unit(row, registry=registry) for row in dev]


def scores(units: list[Unit], labeller: Labeller, registry: Registry) -> LabelScores:
    return label_scores([score_unit(u, labeller(u.turn), registry=registry) for u in units])


@pytest.mark.parametrize("suite", ["case_turns", "dev_turns"])
def test_a_labeller_that_never_labels_stores_nothing_and_recalls_nothing(
    suite: str, request: pytest.FixtureRequest, registry: Registry
) -> None:
    units: list[Unit] = request.getfixturevalue(suite)

    found = scores(units, always_none, registry)

    assert found.false_store.value == 0
    assert found.store_recall.value == 0
    assert found.intent.macro_f1.value == 0
    assert found.exact_turn.hits == sum(not unit.wanted for unit in units)


@pytest.mark.parametrize("suite", ["case_turns", "dev_turns"])
def test_a_labeller_that_always_stores_recalls_all_and_stores_all_that_it_must_not(
    suite: str, request: pytest.FixtureRequest, registry: Registry
) -> None:
    units: list[Unit] = request.getfixturevalue(suite)

    found = scores(units, always_durable, registry)

    assert found.false_store.value == 1
    assert found.store_recall.value == 1
    assert found.delete_recall.value == 0
    assert found.intent.classes["forget"].recall == 0
    assert found.exact_turn.hits == 0


@pytest.mark.parametrize("suite", ["case_turns", "dev_turns"])
def test_a_labeller_that_stores_by_chance_stores_right_and_wrong_alike(
    suite: str, request: pytest.FixtureRequest, registry: Registry
) -> None:
    found = scores(request.getfixturevalue(suite), at_random, registry)

    assert found.false_store.value == pytest.approx(0.5, abs=0.12)
    assert found.store_recall.value == pytest.approx(0.5, abs=0.12)


def test_the_case_gold_gets_full_marks(
    case_turns: list[Unit], cases: Mapping[str, Case], registry: Registry
) -> None:
    answers = [gold_labels(cases[u.group], u.at, registry=registry) for u in case_turns]

    found = label_scores(
        [score_unit(u, a, registry=registry) for u, a in zip(case_turns, answers, strict=True)]
    )

    assert found.intent.macro_f1.value == 1
    assert found.dimension.macro_f1.value == 1
    assert found.scope.macro_f1.value == 1
    assert found.exact_turn_and_value.value == 1
    assert found.false_store.value == 0
    assert found.store_recall.value == 1


def test_the_gold_of_the_turns_gets_full_marks(
    dev_turns: list[Unit], dev: tuple[TurnRow, ...], registry: Registry
) -> None:
    gold = {
        row.id: TurnLabels(labels=row.labels)
        if row.labels
        else TurnLabels(none_reason=NoneReason.QUESTION)
        for row in dev
    }

    found = label_scores([score_unit(u, gold[u.id], registry=registry) for u in dev_turns])

    assert found.exact_turn_and_value.value == 1
    assert found.delete_recall.value == 1


def test_a_turn_that_could_not_be_labelled_is_missed_and_shown_apart(
    dev_turns: list[Unit], registry: Registry
) -> None:
    found = label_scores([score_unit(unit, None, registry=registry) for unit in dev_turns])

    assert found.not_labelled == len(dev_turns)
    assert found.store_recall.value == 0
    assert found.exact_turn.value == 0


def test_precision_recall_and_f1_are_right_by_hand() -> None:
    pairs = [
        [Classes(wanted="durable", got="durable"), Classes(wanted="forget", got="none")],
        [Classes(wanted="durable", got="this_task")],
        [Classes(wanted="none", got="durable")],
        [Classes(wanted="forget", got="forget")],
    ]

    found = class_scores(pairs, ["a", "b", "c", "d"])

    durable, forget = found.classes["durable"], found.classes["forget"]
    assert (durable.precision, durable.recall, durable.f1) == (0.5, 0.5, 0.5)
    assert (forget.precision, forget.recall) == (1.0, 0.5)
    assert found.macro_f1.value == pytest.approx((0.5 + 2 / 3) / 2)
    assert found.micro_f1.value == pytest.approx(2 * 2 / (4 + 4))
    assert found.confusion["durable"] == {"durable": 1, "this_task": 1}
    assert found.confusion["none"] == {"durable": 1}


def unit_of(cases: Mapping[str, Case], registry: Registry, case: str, at: int) -> Unit:
    return next(u for u in case_units(cases[case], registry=registry) if u.at == at)


def test_a_durable_label_whose_plan_supersedes_is_a_replace(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    unit = unit_of(cases, registry, "a087", 1)
    label = Label(
        intent=Intent.DURABLE, dimension="code_style", target="quotes", value="single",
        scope={"repository": "plantillas"},  # type: ignore[arg-type]
    )  # fmt: skip
    plain = score_unit(unit, TurnLabels(labels=(label,)), registry=registry)

    ended = score_unit(unit, TurnLabels(labels=(label,)), registry=registry, superseding={0})

    assert plain.intents[0].got == "durable"
    assert ended.intents[0].got == "replace"


def test_a_retire_counts_as_a_forget(cases: Mapping[str, Case], registry: Registry) -> None:
    unit = unit_of(cases, registry, "a058", 2)
    label = Label(intent=Intent.RETIRE, dimension="format", target="ending", value="question")

    score = score_unit(unit, TurnLabels(labels=(label,)), registry=registry)

    assert score.exact


def test_a_tolerated_label_counts_neither_for_nor_against(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    unit = unit_of(cases, registry, "r005", 0)
    label = Label(intent=Intent.THIS_TASK, dimension="permission", value="open-these-two")

    score = score_unit(unit, TurnLabels(labels=(label,)), registry=registry)

    assert score.exact
    assert score.intents == (Classes(wanted="none", got="none"),)


def test_a_label_more_than_wanted_is_not_exact(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    unit = unit_of(cases, registry, "a061", 0)
    gold = gold_labels(cases["a061"], 0, registry=registry).labels
    more = Label(intent=Intent.DURABLE, dimension="tone", value="dry")

    score = score_unit(unit, TurnLabels(labels=(*gold, more)), registry=registry)

    assert not score.exact
    assert Classes(wanted="none", got="durable") in score.intents


def test_the_planted_labellers_answer_the_same_on_every_run(dev_turns: list[Unit]) -> None:
    for labeller in PLANTED.values():
        assert [labeller(u.turn) for u in dev_turns] == [labeller(u.turn) for u in dev_turns]

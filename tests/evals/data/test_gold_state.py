"""State with gold labels: every case passes, and a fault that is planted is noticed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from henceforth.evals.data.cases import Case
from henceforth.evals.data.read import read_cases
from henceforth.evals.data.suite import load_cases
from henceforth.evals.labels.labellers import gold_answers
from henceforth.evals.labels.naming import by_meaning, by_statement
from henceforth.evals.states.judge_state import judge_state
from henceforth.evals.states.state import Answers, CaseState
from henceforth.schemas.dimensions import Registry
from henceforth.schemas.labels import Intent, Label, NoneReason, Reach, TurnLabels


def judged(case: Case, answers: Answers, registry: Registry) -> CaseState:
    return judge_state(case, answers, naming=by_statement, registry=registry, is_gold=True)


@pytest.mark.parametrize("case", load_cases(), ids=lambda case: case.id)
def test_with_gold_labels_every_case_passes(case: Case, registry: Registry) -> None:
    state = judged(case, gold_answers(case, registry=registry), registry)

    assert state.passed, state.shortfalls


MORE = Path(__file__).parents[3] / "fixtures" / "evals" / "more_cases.jsonl"


@pytest.mark.parametrize("case", read_cases(MORE), ids=lambda case: case.id)
def test_cases_of_kinds_that_no_suite_holds_pass_too(case: Case, registry: Registry) -> None:
    state = judged(case, gold_answers(case, registry=registry), registry)

    assert state.passed, state.shortfalls


@pytest.mark.parametrize("case", load_cases(), ids=lambda case: case.id)
def test_with_gold_labels_rules_are_known_by_their_meaning_too(
    case: Case, registry: Registry
) -> None:
    naming = by_meaning(case, registry=registry)
    answers = gold_answers(case, registry=registry)

    state = judge_state(case, answers, naming=naming, registry=registry, is_gold=True)

    assert state.passed, state.shortfalls


def changed(answers: Answers, turn: int, **fields: Any) -> dict[int, TurnLabels]:
    """The answers with fields of the first label of a turn set otherwise."""
    first, *others = answers[turn].labels
    label = Label.model_validate(first.model_dump(exclude={"span", "reach"}) | fields)
    return {**answers, turn: TurnLabels(labels=(label, *others))}


def silent(answers: Answers, turn: int) -> dict[int, TurnLabels]:
    return {**answers, turn: TurnLabels(none_reason=NoneReason.QUESTION)}


def test_an_update_that_did_not_take_effect_is_noticed(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    answers = silent(gold_answers(cases["g001"], registry=registry), 3)

    state = judged(cases["g001"], answers, registry)

    assert not state.passed
    assert state.shortfalls[0].missing == ("Reply in English",)
    assert state.shortfalls[0].unwanted == ("Reply in Chinese",)


def test_an_exception_that_became_the_default_is_noticed(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    gold = gold_answers(cases["g001"], registry=registry)

    state = judged(cases["g001"], changed(gold, 2, intent=Intent.DURABLE), registry)

    assert not state.passed
    assert "Reply in Chinese" in str(state.shortfalls)


def test_an_unrelated_preference_deleted_is_noticed(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    gold = gold_answers(cases["g001"], registry=registry)

    state = judged(cases["g001"], changed(gold, 4, reach=Reach.EVERYTHING), registry)

    assert not state.passed
    assert state.shortfalls[0].missing == (
        "Reply in English",
        "Explain reasoning and tradeoffs (condition: technical proposals)",
    )


def test_a_rule_that_nobody_asked_for_is_noticed(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    gold = gold_answers(cases["a003"], registry=registry)
    label = Label(intent=Intent.DURABLE, dimension="tone", value="dry", statement="Be dry")

    state = judged(cases["a003"], {**gold, 0: TurnLabels(labels=(label,))}, registry)

    assert state.shortfalls[0].unexpected == ("Be dry",)


def test_a_rule_that_leaks_to_another_place_is_noticed(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    gold = gold_answers(cases["g002"], registry=registry)

    state = judged(cases["g002"], changed(gold, 0, scope={"repository": "shop"}), registry)

    assert [each.asked for each in state.shortfalls] == ["check 1"]


def test_a_rule_that_outlives_its_last_day_is_noticed(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    gold = gold_answers(cases["a027"], registry=registry)

    state = judged(cases["a027"], changed(gold, 0, until=None), registry)

    assert [each.asked for each in state.shortfalls] == ["check 1"]


def test_a_rule_that_should_lose_and_is_not_there_is_noticed(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    answers = silent(gold_answers(cases["g003"], registry=registry), 0)

    state = judged(cases["g003"], answers, registry)

    assert ("Reply in Spanish",) in [each.not_overridden for each in state.shortfalls]


def test_a_text_that_must_not_be_kept_is_noticed(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    gold = gold_answers(cases["r093"], registry=registry)
    kept = changed(gold, 0, quote=("the login is admin / hunter-77",))

    state = judged(cases["r093"], kept, registry)

    assert state.shortfalls[0].record == ("stored text holds 'hunter-77'",)


def test_the_first_text_of_an_edited_message_would_show_without_the_edit(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    case = cases["g013"].model_copy(update={"fault": None})
    gold = gold_answers(cases["g013"], registry=registry)

    state = judged(case, {0: gold[0]}, registry)

    assert not state.passed


def test_one_inferred_signal_may_be_in_force_or_not(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    case = cases["r077"].model_copy(update={"in_force_after": ()})

    state = judged(case, gold_answers(case, registry=registry), registry)

    assert state.passed

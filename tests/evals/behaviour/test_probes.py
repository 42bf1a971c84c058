"""Behaviour in a fresh process: delivered or not is ours, followed or not is the model's."""

from collections.abc import Mapping

import pytest
from pydantic import SecretStr

from henceforth.evals.behaviour.behaviour import CheckResult, ProbeResult
from henceforth.evals.behaviour.chat_server import ChatServer, Reply
from henceforth.evals.behaviour.probe_run import Asked, behaviour_scores, run_probes
from henceforth.evals.behaviour.probes import probes_of
from henceforth.evals.data.cases import Case
from henceforth.evals.labels.labellers import gold_answers
from henceforth.evals.labels.naming import by_statement
from henceforth.pipeline.settings import Settings
from henceforth.schemas.dimensions import Registry
from henceforth.schemas.labels import NoneReason, TurnLabels


@pytest.fixture
def sequence(cases: Mapping[str, Case], registry: Registry) -> Asked:
    case = cases["g001"]
    return Asked(case, gold_answers(case, registry=registry), by_statement)


def test_a_fresh_process_gets_exactly_the_rules_of_each_step(
    sequence: Asked, registry: Registry
) -> None:
    found = run_probes([sequence], settings=Settings(), registry=registry)

    assert found.probes == len(probes_of(sequence.case))
    assert found.not_delivered == ()
    assert found.followed.of == 0


def test_what_is_not_delivered_is_not_held_against_the_model(
    sequence: Asked, registry: Registry
) -> None:
    nothing = {at: TurnLabels(none_reason=NoneReason.QUESTION) for at in sequence.answers}
    lost = Asked(sequence.case, nothing, by_statement)

    found = run_probes([lost], settings=Settings(), registry=registry)

    assert "step-1/ordinary" in found.not_delivered
    assert "before/ordinary" not in found.not_delivered


def test_a_model_is_asked_with_the_block_and_its_answer_is_checked(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    case = cases["g002"]
    asked = Asked(case, gold_answers(case, registry=registry), by_statement)
    with ChatServer() as server:
        server.say([Reply(text="Run `npm test`.")])
        settings = Settings(
            model="openai/given", api_base=server.url, api_key=SecretStr("none"), attempts=1
        )

        found = run_probes([asked], settings=settings, registry=registry)

    assert found.delivered.value == 1
    assert found.not_followed == ("workspace/here: contains",)
    assert server.requests == 1


def result(name: str, *, delivered: bool, passed: bool) -> ProbeResult:
    check = CheckResult(check="language", passed=passed)
    return ProbeResult(
        id=name, case=name, question="?", delivered=delivered, answer="!", checks=(check,)
    )


def test_following_is_counted_over_what_was_delivered_alone() -> None:
    found = behaviour_scores(
        [
            result("a", delivered=True, passed=True),
            result("b", delivered=True, passed=False),
            result("c", delivered=False, passed=False),
        ]
    )

    assert (found.delivered.hits, found.delivered.of) == (2, 3)
    assert (found.followed.hits, found.followed.of) == (1, 2)
    assert found.not_delivered == ("c",)
    assert found.not_followed == ("b: language",)


def test_a_case_without_probes_of_its_own_is_asked_what_its_rules_let_code_check(
    cases: Mapping[str, Case],
) -> None:
    (probe,) = probes_of(cases["a030"])

    assert probe.checks.language == "es"
    assert probe.checks.emoji is False
    assert probe.question is not None

"""Levels 1 and 2 for cases: from the answers to their turns to scores and explained failures."""

from collections.abc import Callable, Mapping, Sequence

from ...pipeline.core.fold import fold
from ...schemas.base import Shape
from ...schemas.dimensions import Registry
from ...schemas.plan import Plan
from ..behaviour.answers import Answered
from ..data.cases import Case
from ..labels.naming import by_meaning, by_statement
from ..labels.unit_score import UnitScore, score_unit
from ..labels.units import case_units
from ..reports.describe import turn_detail
from ..reports.report import Failure, StateScores
from ..reports.stats import Estimate, share
from .faulty_model import after_faults
from .judge_state import judge_state, ledger
from .state import Answers, CaseState
from .superseding import superseding

Given = Mapping[str, Answered]
"""Answers by unit."""


class CaseResult(Shape):
    """All that became of one case."""

    case: Case
    units: tuple[UnitScore, ...]
    state: CaseState
    failure: Failure | None = None


def judge_case(
    case: Case, given: Given, *, registry: Registry, is_gold: bool = False
) -> CaseResult:
    """Score the labels of a case and the rules they lead to.

    Args:
        case: The case.
        given: Answers by unit; a unit without one could not be labelled.
        registry: The dimensions.
        is_gold: The answers are the case's own labels: rules are then named by statement.
    """
    units = case_units(case, registry=registry)
    answers = _by_turn(case, given)
    plans = _plans(case, answers, registry)
    scores = tuple(
        score_unit(
            unit,
            answers.get(unit.at),
            registry=registry,
            superseding=superseding(plans.get(unit.turn.id)),
        )
        for unit in units
    )
    faulted = after_faults(case, answers)
    naming = by_statement if is_gold else by_meaning(case, registry=registry)
    state = judge_state(case, faulted.answers, naming=naming, registry=registry, is_gold=is_gold)
    state = state.model_copy(update={"not_injected": faulted.not_injected})
    counted = [score for unit, score in zip(units, scores, strict=True) if unit.scored]
    wrong = not state.passed or (not is_gold and any(not each.exact for each in counted))
    details = (
        turn_detail(unit, given.get(unit.id), right=score.exact, plan=plans.get(unit.turn.id))
        for unit, score in zip(units, scores, strict=True)
    )
    failure = Failure(
        id=case.id,
        suite="cases",
        kind=case.kind,
        language=case.language,
        turns=tuple(details),
        state=state.shortfalls,
    )
    return CaseResult(
        case=case, units=tuple(counted), state=state, failure=failure if wrong else None
    )


def _by_turn(case: Case, given: Given) -> Answers:
    found = {at: given.get(f"{case.id}/{at}") for at in case.user_turns}
    return {at: each.labels for at, each in found.items() if each and each.labels}


def _plans(case: Case, answers: Answers, registry: Registry) -> Mapping[str, Plan]:
    """What each turn changed, by turn id."""
    folds = (fold(entries, registry=registry) for entries in ledger(case, answers).values())
    return {plan.turn: plan for folded in folds for plan in folded.plans if plan.turn}


def state_scores(results: Sequence[CaseResult]) -> StateScores:
    """Level 2 over all cases."""
    return StateScores(
        passed=sum(each.state.passed for each in results),
        total=len(results),
        failed=tuple(
            each.case.id for each in results if not (each.state.passed or each.state.undecided)
        ),
        undecided=tuple(each.case.id for each in results if each.state.undecided),
        by_kind=_shares(results, lambda each: each.case.kind),
        by_language=_shares(results, lambda each: each.case.language),
        not_injected={
            each.case.id: each.state.not_injected
            for each in results
            if each.state.not_injected is not None
        },
    )


def _shares(
    results: Sequence[CaseResult], name: Callable[[CaseResult], str]
) -> dict[str, Estimate]:
    names = sorted({name(each) for each in results})
    return {one: share(each.state.passed for each in results if name(each) == one) for one in names}

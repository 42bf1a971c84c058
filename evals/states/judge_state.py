"""Level 2: are exactly the right rules in force? Labels go in, the rules in force are judged."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...pipeline.core.fold import fold
from ...pipeline.core.in_force import in_force
from ...schemas.dimensions import Registry
from ...schemas.ids import SubjectId
from ...schemas.in_force import InForce
from ...schemas.ledger import TurnEntry
from ...schemas.rule import Rule
from ..data.cases import Case, CaseIntent
from ..data.timeline import Moment, Said, arrivals
from ..labels.verdict import Verdict
from ..record import record_faults
from .state import Answers, Asked, CaseState, Naming, Shortfall, questions_of
from .through_store import store_faults


def judge_state(
    case: Case, answers: Answers, *, naming: Naming, registry: Registry, is_gold: bool = False
) -> CaseState:
    """Fold the labels to rules and judge what is in force at each moment the case asks about.

    Args:
        case: The case.
        answers: What each turn says.
        naming: Tells which rule a text means.
        registry: The dimensions.
        is_gold: The answers are the case's own labels.
    """
    answered = [
        (asked, answer_to(asked.moment, case, answers, registry=registry))
        for asked in questions_of(case)
    ]
    shortfalls = [_judge(asked, answer, case, naming) for asked, answer in answered]
    stored = store_faults(case, answers, registry=registry)
    stored += record_faults(case, answered[0][1].rules, is_gold=is_gold)
    if stored:
        shortfalls[0] = shortfalls[0].model_copy(update={"record": stored})
    shortfalls = [each for each in shortfalls if each.is_wrong or each.undecided]
    return CaseState(
        id=case.id,
        passed=not shortfalls,
        undecided=bool(shortfalls) and not any(each.is_wrong for each in shortfalls),
        shortfalls=tuple(shortfalls),
    )


def entries(case: Case, answers: Answers, moment: Moment) -> tuple[TurnEntry, ...]:
    """The ledger of one subject at a moment, in arrival order."""
    through = {
        at: each for at, each in answers.items() if moment.through is None or at <= moment.through
    }
    return tuple(ledger(case, through).get(moment.subject, ()))


def ledger(case: Case, answers: Answers) -> Mapping[SubjectId, Sequence[TurnEntry]]:
    """The ledgers that a case leads to, by subject, each in arrival order."""
    kept: dict[SubjectId, list[TurnEntry]] = {}
    for each in arrivals(case):
        if each.at in answers:
            kept.setdefault(each.subject, []).append(entry_of(each, answers))
    return kept


def entry_of(each: Said, answers: Answers) -> TurnEntry:
    """The ledger entry of a labelled turn."""
    return TurnEntry(
        turn=each.turn.id,
        text_hash=each.turn.text_hash,
        said_at=each.turn.said_at,
        index=each.turn.index,
        context=each.turn.context,
        reacts_to=each.turn.reacts_to,
        labels=answers[each.at],
        recorded_at=each.turn.said_at,
    )


def answer_to(moment: Moment, case: Case, answers: Answers, *, registry: Registry) -> InForce:
    """The rules in force at a moment of the case."""
    folded = fold(entries(case, answers, moment), registry=registry)
    return in_force(folded.rules, context=moment.context, as_of=moment.as_of, events=moment.events)


def _judge(asked: Asked, answer: InForce, case: Case, naming: Naming) -> Shortfall:
    held, lost = answer.rules, tuple(each.rule for each in answer.overridden)
    missing, unsure = _sought(asked.in_force, held, naming)
    not_overridden, unsure_lost = _sought(asked.overridden, lost, naming)
    rest = [rule for rule in held if Verdict.SAME not in _verdicts(rule, asked.in_force, naming)]
    open_texts = _left_open(case)
    unknown = [
        rule.statement
        for rule in rest
        if _verdicts(rule, (*asked.in_force, *asked.not_in_force, *open_texts), naming)
        <= {Verdict.DIFFERENT}
    ]
    banned = _banned(asked.not_in_force, rest, naming)
    return Shortfall(
        asked=asked.name,
        missing=missing,
        unwanted=banned.same,
        twice=tuple(text for text in asked.in_force if _count(text, held, naming) > 1),
        unexpected=tuple(unknown) if asked.closed else (),
        not_overridden=not_overridden,
        undecided=(*unsure, *unsure_lost, *banned.undecided),
        found=tuple(rule.statement for rule in held),
    )


class _Banned(NamedTuple):
    """Texts that must not be in force: those that are, and those that may be."""

    same: tuple[str, ...]
    undecided: tuple[str, ...]


def _banned(texts: Iterable[str], rest: Sequence[Rule], naming: Naming) -> _Banned:
    verdicts = {text: {naming(rule, text) for rule in rest} for text in texts}
    same = tuple(text for text, found in verdicts.items() if Verdict.SAME in found)
    unsure = (text for text, found in verdicts.items() if Verdict.UNDECIDED in found)
    return _Banned(same, tuple(text for text in unsure if text not in same))


def _sought(
    texts: Iterable[str], rules: Sequence[Rule], naming: Naming
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The texts that no rule is, and those of which it cannot be told."""
    best = {text: {naming(rule, text) for rule in rules} for text in texts}
    missing = tuple(text for text, found in best.items() if found <= {Verdict.DIFFERENT})
    unsure = (
        text
        for text, found in best.items()
        if Verdict.SAME not in found and Verdict.UNDECIDED in found
    )
    return missing, tuple(unsure)


def _verdicts(rule: Rule, texts: Iterable[str], naming: Naming) -> set[Verdict]:
    return {naming(rule, text) for text in texts}


def _count(text: str, rules: Sequence[Rule], naming: Naming) -> int:
    return sum(naming(rule, text) is Verdict.SAME for rule in rules)


def _left_open(case: Case) -> tuple[str, ...]:
    """Rules that may be in force or not.

    An inferred one, one whose label counts as right as a forget too, and the tolerated.
    """
    named = [
        gold.text
        for expected, gold in zip(case.expected, case.labels or (), strict=False)
        if CaseIntent.FORGET in expected.accept.intent or expected.intent is CaseIntent.INFERRED
    ]
    return (*named, *(each.value for each in case.tolerated))

"""Level 2: are exactly the right rules in force? Labels go in, the rules in force are judged."""

from collections.abc import Collection, Iterable, Sequence

from ..pipeline.fold import fold
from ..pipeline.in_force import in_force
from ..schemas.dimensions import Registry
from ..schemas.in_force import InForce
from ..schemas.ledger import TurnEntry
from ..schemas.rule import Rule
from .cases import Case, CaseIntent
from .state import Asked, CaseState, Labelled, Naming, Shortfall, questions_of
from .timeline import Moment, Said, arrivals
from .verdict import Verdict


def judge_state(case: Case, labelled: Labelled, *, naming: Naming, registry: Registry) -> CaseState:
    """Fold the labels to rules and judge what is in force at each moment the case asks about."""
    answers = (
        _judge(asked, _answer(case, labelled, asked.moment, registry), case, naming)
        for asked in questions_of(case)
    )
    shortfalls = tuple(each for each in answers if each.is_wrong or each.undecided)
    wrong = any(each.is_wrong for each in shortfalls)
    return CaseState(
        id=case.id,
        passed=not shortfalls,
        undecided=bool(shortfalls) and not wrong,
        shortfalls=shortfalls,
    )


def entries(case: Case, labelled: Labelled, moment: Moment) -> tuple[TurnEntry, ...]:
    """The ledger of one subject at a moment, in arrival order."""
    return tuple(
        entry_of(each, labelled)
        for each in arrivals(case)
        if each.subject == moment.subject
        and each.at in labelled
        and (moment.through is None or each.at <= moment.through)
    )


def entry_of(each: Said, labelled: Labelled) -> TurnEntry:
    """The ledger entry of a labelled turn."""
    return TurnEntry(
        turn=each.turn.id,
        text_hash=each.turn.text_hash,
        said_at=each.turn.said_at,
        index=each.turn.index,
        context=each.turn.context,
        reacts_to=each.turn.reacts_to,
        labels=labelled[each.at],
        recorded_at=each.turn.said_at,
    )


def _answer(case: Case, labelled: Labelled, moment: Moment, registry: Registry) -> InForce:
    folded = fold(entries(case, labelled, moment), registry=registry)
    return in_force(folded.rules, context=moment.context, as_of=moment.as_of, events=moment.events)


def _judge(asked: Asked, answer: InForce, case: Case, naming: Naming) -> Shortfall:
    held, lost = answer.rules, tuple(each.rule for each in answer.overridden)
    missing, unsure = _sought(asked.in_force, held, naming)
    not_overridden, unsure_lost = _sought(asked.overridden, lost, naming)
    return Shortfall(
        asked=asked.name,
        missing=missing,
        unwanted=tuple(_matching(asked.not_in_force, held, naming)),
        twice=tuple(
            text for text in dict.fromkeys(asked.in_force) if _count(text, held, naming) > 1
        ),
        unexpected=_unexpected(asked, held, case, naming) if asked.closed else (),
        not_overridden=not_overridden,
        undecided=(*unsure, *unsure_lost),
        found=tuple(rule.statement for rule in held),
    )


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


def _matching(texts: Iterable[str], rules: Sequence[Rule], naming: Naming) -> Iterable[str]:
    return (text for text in texts if _count(text, rules, naming))


def _count(text: str, rules: Sequence[Rule], naming: Naming) -> int:
    return sum(naming(rule, text) is Verdict.SAME for rule in rules)


def _unexpected(asked: Asked, held: Sequence[Rule], case: Case, naming: Naming) -> tuple[str, ...]:
    """Rules that are in force though the case neither asks for them nor leaves them open."""
    known = (*asked.in_force, *asked.not_in_force, *_left_open(case))
    return tuple(
        rule.statement
        for rule in held
        if all(naming(rule, text) is Verdict.DIFFERENT for text in known)
    )


def _left_open(case: Case) -> Collection[str]:
    """Rules that may be in force or not.

    An inferred one, one whose label counts as right as a forget too, and the tolerated.
    """
    named = {
        gold.text
        for expected, gold in zip(case.expected, case.labels or (), strict=False)
        if CaseIntent.FORGET in expected.accept.intent or expected.intent is CaseIntent.INFERRED
    }
    return named | {each.value for each in case.tolerated}

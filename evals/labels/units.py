"""From suites to units: one user turn each, with what it must be labelled as."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time

from ...schemas.dimensions import Registry
from ...schemas.ids import TurnId
from ...schemas.labels import Intent, Label
from ...schemas.turn import Turn
from ..data.cases import Case, CaseIntent, CaseScope, Expected
from ..data.gold import is_edited_away
from ..data.timeline import SOMEONE, Said, said
from ..data.turns import TurnRow
from ..data.wanted import Field, Unit, Wanted
from .matcher import Meant
from .readings import meant, turn_intent, turn_scope

CASES, TURNS = "cases", "turns"

_STORED = {CaseIntent.DURABLE, CaseIntent.REPLACE, CaseIntent.CONDITIONAL}
_DAY = date(2026, 3, 2)


def case_units(case: Case, *, registry: Registry) -> tuple[Unit, ...]:
    """The user turns of a case."""
    return tuple(_case_unit(case, each, registry) for each in said(case))


def _case_unit(case: Case, each: Said, registry: Registry) -> Unit:
    golds: Iterable[Label | None] = case.labels or (None,) * len(case.expected)
    pairs = [
        (expected, gold)
        for expected, gold in zip(case.expected, golds, strict=True)
        if expected.turn == each.at
    ]
    tolerated = [expected for expected in case.tolerated if expected.turn == each.at]
    intents = {expected.intent for expected, _ in pairs}
    return Unit(
        id=f"{case.id}/{each.at}",
        suite=CASES,
        group=case.id,
        at=each.at,
        kind=case.kind,
        language=case.language,
        turn=each.turn,
        wanted=tuple(_from_case(expected, gold, registry) for expected, gold in pairs),
        tolerated=tuple(_from_case(expected, None, registry) for expected in tolerated),
        store=_must_store(intents, {expected.intent for expected in tolerated}),
        delete=CaseIntent.FORGET in intents,
        scored=not is_edited_away(case, each.at),
    )


def _must_store(wanted: set[CaseIntent], tolerated: set[CaseIntent]) -> bool | None:
    """None where a record is neither asked for nor wrong: inferred, tolerated, or deleting."""
    if wanted & _STORED:
        return True
    open_ones = {CaseIntent.INFERRED, CaseIntent.FORGET}
    return None if wanted & open_ones or tolerated & _STORED else False


def _from_case(expected: Expected, gold: Label | None, registry: Registry) -> Wanted:
    dimensions = {*expected.accept.dimension}
    if gold is not None:
        dimensions.add(registry.dimension_of(gold.dimension, gold.target))
    return Wanted(
        intent=Field(right=expected.intent, accepted=frozenset(expected.accept.intent)),
        dimension=Field(right=expected.dimension, accepted=frozenset(dimensions)),
        scope=_case_scope(expected, gold),
        conditional=_conditional(expected),
        meant=_case_meant(expected, gold, registry),
    )


def _conditional(expected: Expected) -> bool | None:
    """Whether there must be a condition; None where the case takes it either way."""
    either = {CaseIntent.DURABLE, CaseIntent.CONDITIONAL}
    if either <= {expected.intent, *expected.accept.intent}:
        return None
    return expected.condition is not None


def _case_scope(expected: Expected, gold: Label | None) -> Field:
    """The scope with what counts as right.

    For a condition, `everywhere` and `task_type` are equal. A label whose gold names no place
    takes its place from the rule it revises or forgets: there, naming none is right.
    """
    accepted = {expected.scope, *expected.accept.scope}
    anywhere = {CaseScope.EVERYWHERE, CaseScope.TASK_TYPE}
    if expected.condition is not None and accepted & anywhere:
        accepted |= anywhere
    if gold is not None and gold.scope is None and gold.intent is not Intent.THIS_TASK:
        accepted.add(CaseScope.EVERYWHERE)
    return Field(right=expected.scope, accepted=frozenset(accepted))


def _case_meant(expected: Expected, gold: Label | None, registry: Registry) -> Meant:
    if gold is None:
        return Meant(texts=(expected.value,))
    return meant(gold, registry=registry, texts=(expected.value, *expected.accept.value))


def turn_unit(row: TurnRow, *, registry: Registry) -> Unit:
    """A labelled turn as a unit."""
    intents = {label.intent for label in row.labels}
    opened = intents & {Intent.INFERRED, Intent.FORGET, Intent.RETIRE}
    return Unit(
        id=row.id,
        suite=TURNS,
        group=row.id,
        kind=row.kind,
        language=row.lang,
        turn=_turn(row),
        wanted=tuple(_from_row(label, registry) for label in row.labels),
        store=True if Intent.DURABLE in intents else None if opened else False,
        delete=bool(intents & {Intent.FORGET, Intent.RETIRE}),
        none_reason=row.none_reason,
    )


def _turn(row: TurnRow) -> Turn:
    context = row.context.context
    named = context.model_copy(update={"conversation": context.conversation or row.id})
    return Turn(
        id=TurnId(f"{row.id}/{len(row.before)}"),
        text=row.turn,
        said_at=datetime.combine(row.day or _DAY, time(9), UTC),
        index=len(row.before),
        speaker=SOMEONE,
        before=row.before,
        context=named,
    )


def _from_row(label: Label, registry: Registry) -> Wanted:
    return Wanted(
        intent=Field(right=turn_intent(label)),
        dimension=Field(right=registry.dimension_of(label.dimension, label.target)),
        scope=Field(right=turn_scope(label)),
        conditional=label.condition is not None,
        meant=meant(label, registry=registry, texts=(label.statement,)),
        quotes=label.quote,
    )

"""What labels did, as links: a fold that follows them needs the labels' words no longer. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

from ...schemas.ids import RuleId, TurnId
from ...schemas.labels import Intent, Label
from ...schemas.ledger import LinkedBy, LinkEntry, Relation, TurnEntry
from ...schemas.plan import Ask, Change, Plan
from ...schemas.rule import Rule, State
from ...schemas.scope import EVERYWHERE
from .reconcile.desk import is_open, rule_id

_TAKEN_BACK = {State.FORGOTTEN, State.RETIRED}
_DISPLACED = {State.SUPERSEDED, State.EXPIRED}


TAKES_BACK = {Intent.FORGET, Intent.RETIRE}
"""Intents that take rules back."""


class Place(NamedTuple):
    """A label: its turn, and its place in it."""

    turn: TurnId
    label: int


Changes: TypeAlias = Mapping[Place, Sequence[Change]]
"""What each label changed."""


def places(entry: TurnEntry) -> Iterator[tuple[Place, Label]]:
    """The labels of a turn, each with its place."""
    for index, label in enumerate(entry.labels.labels):
        yield Place(entry.turn, index), label


def evidence_of(rule: Rule) -> list[Place]:
    """The labels that said the rule."""
    return [Place(each.turn, each.label) for each in rule.evidence]


def changes_of(plans: Iterable[Plan]) -> Changes:
    """What each label changed, from the plans of a fold."""
    found: dict[Place, list[Change]] = {}
    for plan in plans:
        for change in plan.changes:
            if plan.turn is not None and change.label is not None:
                found.setdefault(Place(plan.turn, change.label), []).append(change)
    return found


def asked_by(plans: Iterable[Plan]) -> dict[Place, tuple[RuleId, ...]]:
    """The rules that the user was asked which of them a label means."""
    return {
        Place(question.turn, question.label): question.candidates
        for plan in plans
        for question in plan.questions
        if question.ask in {Ask.WHICH_RULE, Ask.WHICH_VALUE}
    }


def enders(rule: RuleId, changes: Changes) -> dict[Place, Relation]:
    """The labels that took the rule out of force: the same was taken back, or it was replaced."""
    return {
        place: relation
        for place, made in changes.items()
        for each in _after(made)
        if each.id == rule and (relation := _ending(place, each)) is not None
    }


def links_for(
    place: Place,
    label: Label,
    made: Sequence[Change],
    *,
    asked: Iterable[RuleId] = (),
    now: datetime,
) -> tuple[LinkEntry, ...]:
    """Links that say all that the label did to the rules there were.

    Where it did nothing to any, links say so: to those that the user was asked about, or to a
    rule of its own that there need not be. A signal that brought and backed no rule has a link
    to such a rule in any case.
    """
    told = dict(_relations(place, label, made))
    if label.intent is Intent.INFERRED:
        if Relation.SAME not in told.values() and not _brings(place, made):
            told[rule_id(*place)] = Relation.BESIDE
    elif not told:
        told = dict.fromkeys([*asked] or [rule_id(*place)], Relation.BESIDE)
    return tuple(
        LinkEntry(
            turn=place.turn,
            label=place.label,
            rule=rule,
            relation=relation,
            by=LinkedBy.REDACTION,
            recorded_at=now,
        )
        for rule, relation in told.items()
    )


def _relations(
    place: Place, label: Label, made: Iterable[Change]
) -> Iterator[tuple[RuleId, Relation]]:
    """How the label stands to each rule it changed, and to the orders its own rule counts."""
    for rule in _after(made):
        if rule.id == rule_id(*place):
            counted = (rule_id(*each) for each in evidence_of(rule) if each != place)
            yield from ((order, Relation.SAME) for order in counted)
        elif (relation := _relation(place, label, rule)) is not None:
            yield rule.id, relation


def _brings(place: Place, made: Iterable[Change]) -> bool:
    return any(rule.id == rule_id(*place) for rule in _after(made))


def explicit(label: Label, brought: Rule) -> Label:
    """The label with what it inherited written out, so that it inherits from nothing."""
    return label.model_copy(
        update={
            "scope": "everywhere" if brought.scope == EVERYWHERE else brought.scope,
            "condition": brought.condition,
            "exception": brought.exception,
            "until": brought.until or label.until,
        }
    )


def _after(made: Iterable[Change]) -> Iterable[Rule]:
    """The rules that a label changed, as it left them."""
    return {rule.id: rule for change in made for rule in change.rules}.values()


def _ending(place: Place, rule: Rule) -> Relation | None:
    if rule.id == rule_id(*place):
        return None
    if rule.state in _TAKEN_BACK:
        return Relation.SAME
    return Relation.REPLACES if rule.state in _DISPLACED else None


def _relation(place: Place, label: Label, rule: Rule) -> Relation | None:
    """How the label stands to a rule of another label that it changed."""
    if not is_open(rule):
        return _ending(place, rule)
    if place in evidence_of(rule):
        return Relation.SAME
    # What a forget leaves open is what it put back in force.
    return Relation.REPLACES if label.intent in TAKES_BACK else None

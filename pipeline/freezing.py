"""What labels did, as links: a fold that follows them needs the labels' words no longer. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

from ..schemas.ids import RuleId, TurnId
from ..schemas.labels import Intent, Label
from ..schemas.ledger import LinkedBy, LinkEntry, Relation, TurnEntry
from ..schemas.plan import Change, Plan
from ..schemas.rule import Rule, State
from ..schemas.scope import EVERYWHERE
from .reconcile.desk import rule_id

_TAKEN_BACK = {State.FORGOTTEN, State.RETIRED}
_DISPLACED = {State.SUPERSEDED, State.EXPIRED}


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


def enders(rule: RuleId, changes: Changes) -> dict[Place, Relation]:
    """The labels that took the rule out of force: the same was taken back, or it was replaced."""
    return {
        place: relation
        for place, made in changes.items()
        for each in _after(made)
        if each.id == rule and (relation := _ending(place, each)) is not None
    }


def frozen(
    place: Place, label: Label, made: Sequence[Change], *, now: datetime
) -> tuple[LinkEntry, ...]:
    """Links that say all that the label did to the rules there were.

    Where it did nothing to any, a link says so: to a rule of its own that there need not be.
    """
    relations = {each.id: _relation(place, each) for each in _after(made)}
    told = {rule: relation for rule, relation in relations.items() if relation is not None}
    if not told and label.intent is Intent.INFERRED and rule_id(*place) in relations:
        return ()  # a new proposal: nothing in it was decided by words
    return tuple(
        LinkEntry(
            turn=place.turn,
            label=place.label,
            rule=rule,
            relation=relation,
            by=LinkedBy.REDACTION,
            recorded_at=now,
        )
        for rule, relation in (told or {rule_id(*place): Relation.BESIDE}).items()
    )


def explicit(label: Label, brought: Rule) -> Label:
    """The label with what it inherited written out, so that it inherits from nothing."""
    return label.model_copy(
        update={
            "scope": "everywhere" if brought.scope == EVERYWHERE else brought.scope,
            "condition": brought.condition,
            "exception": brought.exception,
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


def _relation(place: Place, rule: Rule) -> Relation | None:
    """How the label stands to a rule it changed; None for the one it brought, or brought back."""
    repeats = rule.id != rule_id(*place) and place in evidence_of(rule)
    return _ending(place, rule) or (Relation.SAME if repeats else None)

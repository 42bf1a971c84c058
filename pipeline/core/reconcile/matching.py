"""Which rules do the words of a forget mean? By slot and value, then by their words. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from ....schemas.dimensions import REPLIES, Cardinality
from ....schemas.labels import Label, Reach
from ....schemas.rule import Rule
from ..conflict import Standing, meaning_of
from ..scope import Fit, covers
from ..values import ANY, ON, features, is_specific, words
from .desk import Seat

_ENOUGH = 0.5
"""Share of the label's words that a rule must hold to be found by words alone."""

_A_FEW = 2
"""Words that, if the rule holds all of them, are enough even where its value is another."""


class Tier(IntEnum):
    """How sure a match is; the first that fits."""

    MAYBE = 1
    BY_WORDS = 2
    BY_TARGET = 3
    BY_VALUE = 4
    BY_SLOT = 5
    OTHER_POLARITY = 6
    EXACT = 7


@dataclass(frozen=True)
class Match:
    """A rule that a forget may mean, and how well it fits."""

    rule: Rule
    tier: Tier
    holds_here: bool
    same_condition: bool
    shared: float
    same_dimension: bool

    @property
    def is_sure(self) -> bool:
        """Whether it is enough to act on, if no other is as good."""
        return self.tier > Tier.MAYBE

    @property
    def rank(self) -> tuple[int, bool, bool, float, bool]:
        """What decides between two: the dimension only breaks ties."""
        return (
            self.tier,
            self.same_condition,
            self.holds_here,
            self.shared,
            self.same_dimension,
        )


def matches(seat: Seat, pool: Sequence[Rule]) -> list[Match]:
    """The rules of the pool that the label may mean."""
    found = [(rule, _tier(seat, rule)) for rule in pool]
    return [_match(seat, rule, tier) for rule, tier in found if tier is not None]


def best(candidates: Sequence[Match]) -> list[Match]:
    """The match that fits best, or all that fit equally well."""
    top = max((each.rank for each in candidates), default=None)
    return [each for each in candidates if each.rank == top]


def _match(seat: Seat, rule: Rule, tier: Tier) -> Match:
    return Match(
        rule=rule,
        tier=tier,
        holds_here=covers(rule.scope, seat.context),
        same_condition=seat.fit_of(seat.label.condition, rule) is Fit.EQUAL,
        shared=_shared(seat.label, rule),
        same_dimension=seat.label.dimension == rule.dimension,
    )


def _tier(seat: Seat, rule: Rule) -> Tier | None:
    label, how = seat.label, seat.standing(rule)
    if how is Standing.EQUAL:
        return Tier.EXACT
    if how is Standing.OPPOSITE:
        return Tier.OTHER_POLARITY
    if how is not Standing.UNRELATED and words(label.value) == (ANY,):
        return Tier.BY_SLOT
    mine, theirs = (meaning_of(each, seat.desk.registry) for each in (label, rule))
    if mine.value == theirs.value != ON:
        wide = label.target in _UNSPECIFIC or label.reach is Reach.ALL_MATCHING
        return Tier.BY_VALUE if wide else Tier.MAYBE
    return _tier_by_words(seat, rule, how)


_UNSPECIFIC = {REPLIES, "all"}
"""Targets that a forget has when the user names none."""


def _tier_by_words(seat: Seat, rule: Rule, how: Standing) -> Tier | None:
    label = seat.label
    if label.target not in _UNSPECIFIC and features(label.target) <= features(
        f"{rule.target} {rule.value}"
    ):
        return Tier.BY_TARGET if _shared(label, rule) else Tier.MAYBE
    if _speaks_of(label, rule):
        return Tier.BY_WORDS
    if how is not Standing.UNRELATED and _may_differ(seat, rule):
        return Tier.MAYBE
    value = _features_of_value(label)
    named = label.target in _UNSPECIFIC and bool(value) and value <= _features_of(rule)
    return Tier.MAYBE if named else None


def _speaks_of(label: Label, rule: Rule) -> bool:
    """Whether the rule holds enough of the label's words, those of its value among them."""
    theirs = _features_of(rule)
    value, statement = _features_of_value(label), features(label.statement)
    if len(statement) >= _A_FEW and statement <= theirs:
        return True
    named = len(value & theirs) >= _ENOUGH * len(value)
    return named and _shared(label, rule) >= _ENOUGH


def _may_differ(seat: Seat, rule: Rule) -> bool:
    """Whether two values of a slot may be one in other words; two languages never are."""
    holds_one = seat.desk.registry.cardinality(rule.dimension) is Cardinality.ONE
    return rule.dimension != "language" and (holds_one or rule.target != REPLIES)


def _shared(label: Label, rule: Rule) -> float:
    """The share of the label's words that the rule has too, from 0 to 1."""
    mine = _features_of_value(label) | features(label.statement)
    return len(mine & _features_of(rule)) / len(mine) if mine else 0.0


def _features_of_value(label: Label) -> frozenset[str]:
    return features(label.value) if is_specific(label.value) else frozenset()


def _features_of(rule: Rule) -> frozenset[str]:
    quotes = (quote for evidence in rule.evidence for quote in evidence.quote)
    return features(" ".join((rule.value, rule.target, rule.statement, *quotes)))

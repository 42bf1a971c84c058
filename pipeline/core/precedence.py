"""Which of two rules wins where both hold: the steps of precedence, the strongest first. Pure."""

from collections.abc import Iterable

from ...schemas.context import Context
from ...schemas.in_force import Step
from ...schemas.rule import Rule
from ...schemas.scope import Scope
from .scope import Verdict, verdict
from .values import words

_PLACES = {"project": 1, "repository": 2, "workspace": 3}


def stronger_by(one: Rule, other: Rule, *, context: Context) -> Step | None:
    """The step by which the first rule beats the second; None when it does not.

    A condition the context cannot decide counts here as if it applied: what loses even then,
    loses.
    """
    mine, theirs = _strength(one, context), _strength(other, context)
    for step, (a, b) in zip(Step, zip(mine, theirs, strict=True), strict=False):
        if a != b:
            return step if a > b else None
    if _told_apart_by_words(one, other):
        return None
    return Step.LATER_SAID if one.said_last.position > other.said_last.position else None


def strongest_first(rules: Iterable[Rule], *, context: Context) -> list[Rule]:
    """The rules in an order in which none beats one before it."""

    def rank(rule: Rule) -> tuple[object, ...]:
        return (_strength(rule, context), rule.said_last.position, rule.id)

    return sorted(rules, key=rank, reverse=True)


def _strength(rule: Rule, context: Context) -> tuple[bool, int, int, bool, bool]:
    """One number for each step of precedence before the last."""
    return (
        rule.bound is not None,
        len(rule.scope.names),
        _narrowest_place(rule.scope),
        rule.condition is not None
        and verdict(rule.condition, context) is not Verdict.DOES_NOT_APPLY,
        rule.until is not None,
    )


def _narrowest_place(scope: Scope) -> int:
    return max((_PLACES[kind] for kind in scope.names), default=0)


def _told_apart_by_words(one: Rule, other: Rule) -> bool:
    """Two conditions with the same tags and other words: the tags do not say which one holds."""
    if one.condition is None or other.condition is None:
        return False
    return one.condition.tags == other.condition.tags and words(one.condition.words) != words(
        other.condition.words
    )

"""Does a scope or a condition cover this moment, or another scope or condition? Pure."""

import unicodedata
from collections.abc import Collection
from datetime import date, datetime
from enum import StrEnum
from fnmatch import fnmatchcase

from ...schemas.context import Context
from ...schemas.scope import Condition, Scope, Until
from .values import words


class Fit(StrEnum):
    """How one place or condition stands to another."""

    EQUAL = "equal"
    NARROWER = "narrower"
    BROADER = "broader"
    INCOMPARABLE = "incomparable"


class Verdict(StrEnum):
    """Whether a condition holds now, as far as the context tells."""

    APPLIES = "applies"
    DOES_NOT_APPLY = "does-not-apply"
    UNKNOWN = "unknown"


def same_name(one: str, other: str) -> bool:
    """Whether two names of a place are the same, whatever their Unicode form or case."""
    return _folded(one) == _folded(other)


def covers(scope: Scope, context: Context) -> bool:
    """Whether every name of the scope is the context's; everywhere covers all."""
    given = context.scope.names
    return all(kind in given and same_name(name, given[kind]) for kind, name in scope.names.items())


def fit(scope: Scope, other: Scope) -> Fit:
    """How the scope stands to the other: more names that agree are narrower."""
    mine = {(kind, _folded(name)) for kind, name in scope.names.items()}
    theirs = {(kind, _folded(name)) for kind, name in other.names.items()}
    if mine == theirs:
        return Fit.EQUAL
    if mine > theirs:
        return Fit.NARROWER
    return Fit.BROADER if mine < theirs else Fit.INCOMPARABLE


def same_condition(one: Condition | None, other: Condition | None) -> bool:
    """Whether both hold at the same times: equal tags, or where either has none, equal words."""
    if one is None or other is None:
        return one is other
    if one.tags and other.tags:
        return one.tags == other.tags
    return words(one.words) == words(other.words)


def condition_fit(one: Condition | None, other: Condition | None) -> Fit:
    """How one condition stands to the other; no condition at all is the broadest."""
    if same_condition(one, other):
        return Fit.EQUAL
    if other is None:
        return Fit.NARROWER
    return Fit.BROADER if one is None else Fit.INCOMPARABLE


def combine(*fits: Fit) -> Fit:
    """One fit of several aspects: they must agree, or the whole is incomparable."""
    told = {each for each in fits if each is not Fit.EQUAL}
    if not told:
        return Fit.EQUAL
    return told.pop() if len(told) == 1 else Fit.INCOMPARABLE


def verdict(condition: Condition | None, context: Context) -> Verdict:
    """Whether the condition holds in the context; no condition always does."""
    if condition is None:
        return Verdict.APPLIES
    verdicts = {_of_alternative(tags, context) for tags in condition.tags}
    if Verdict.APPLIES in verdicts:
        return Verdict.APPLIES
    if not verdicts or Verdict.UNKNOWN in verdicts:
        return Verdict.UNKNOWN
    return Verdict.DOES_NOT_APPLY


def has_passed(until: Until | None, now: datetime, events: Collection[str]) -> bool:
    """Whether the last day is over in the zone of `now`, or the event has happened."""
    if until is None:
        return False
    if isinstance(until, date):
        return now.date() > until
    return any(words(event) == words(until) for event in events)


def _of_alternative(tags: tuple[str, ...], context: Context) -> Verdict:
    verdicts = {_of_tag(tag, context) for tag in tags}
    if Verdict.DOES_NOT_APPLY in verdicts:
        return Verdict.DOES_NOT_APPLY
    return Verdict.UNKNOWN if Verdict.UNKNOWN in verdicts else Verdict.APPLIES


def _of_tag(tag: str, context: Context) -> Verdict:
    kind, _, wanted = tag.partition(":")
    given = _given(kind, context)
    if given is None:
        return Verdict.UNKNOWN
    return Verdict.APPLIES if _matches(kind, wanted, given) else Verdict.DOES_NOT_APPLY


def _matches(kind: str, wanted: str, given: str) -> bool:
    """Globs for files and branches, words within what was said, otherwise the same words."""
    if kind in {"file", "branch"}:
        return fnmatchcase(given, wanted) or fnmatchcase(given, f"*/{wanted}")
    said, phrase = words(given), words(wanted)
    if kind == "says":
        return any(said[i : i + len(phrase)] == phrase for i in range(len(said)))
    return said == phrase


def _given(kind: str, context: Context) -> str | None:
    """What the context says of a kind of tag; None when it does not say."""
    known = {
        "task": context.task_type,
        "file": context.file,
        "branch": context.branch,
        "audience": context.audience,
    }
    tags = {_folded(each): value for each, value in context.tags.items()}
    return known.get(kind) or tags.get(kind)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip()

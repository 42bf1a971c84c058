"""How a label, and a list of acceptable values, read in the words of third-party rows."""

from collections.abc import Iterable

from ...schemas.dimensions import Registry
from ...schemas.labels import Intent, Label, Span, TurnLabels, slug
from ...schemas.scope import Scope
from ..labels.readings import DIMENSIONS
from .rows import RowIntent

_SCOPES = {
    "global": "everywhere",
    "user": "everywhere",
    "always": "everywhere",
    "all": "everywhere",
    "default": "everywhere",
    "repo": "repository",
    "codebase": "repository",
    "task-only": "task",
    "one-task": "task",
    "this-task": "task",
    "turn": "task",
    "message": "task",
    "once": "task",
    "session": "conversation",
    "chat": "conversation",
    "thread": "conversation",
    "channel": "workspace",
    "task-type": "condition",
    "conditional": "condition",
    "topic": "condition",
    "domain": "condition",
}
"""Other names for a scope; what is not here keeps its own."""

_DIMENSIONS = {
    "address": "addressing",
    "code": "code-style",
    "style": "tone",
    "verbosity": "length",
    "tools": "tooling",
    "process": "workflow",
    "permissions": "permission",
    "fact": "project-fact",
}


def row_intents(answer: TurnLabels | None, *, superseding: Iterable[int] = ()) -> frozenset[str]:
    """The intents of an answer; `none` where there is no label."""
    ended = frozenset(superseding)
    labels = answer.labels if answer else ()
    return frozenset(
        intent for at, label in enumerate(labels) for intent in _intents(label, at in ended)
    ) or frozenset({RowIntent.NONE})


def _intents(label: Label, supersedes: bool) -> Iterable[str]:
    plain = {
        Intent.THIS_TASK: RowIntent.TASK_ONLY,
        Intent.INFERRED: RowIntent.INFERENCE,
        Intent.FORGET: RowIntent.FORGET,
        Intent.RETIRE: RowIntent.FORGET,
    }
    if label.intent in plain:
        return (plain[label.intent],)
    revised = [RowIntent.REPLACEMENT] if label.revises or supersedes else []
    limited = [RowIntent.SCOPED_RULE] if _is_limited(label) else []
    return (*revised, *limited) or (RowIntent.DURABLE,)


def _is_limited(label: Label) -> bool:
    named = isinstance(label.scope, Scope) and bool(label.scope.names)
    return named or label.condition is not None


def row_scopes(label: Label) -> frozenset[str]:
    """The scopes that a label may be said to have."""
    if label.intent is Intent.THIS_TASK:
        return frozenset({label.span or Span.TASK})
    names = label.scope.names if isinstance(label.scope, Scope) else {}
    found = [*names, *(["condition"] if label.condition else [])]
    return frozenset(found or ["everywhere"])


def row_dimensions(label: Label, *, registry: Registry) -> frozenset[str]:
    """The dimensions that a label may be said to have."""
    dimension = registry.dimension_of(label.dimension, label.target)
    return frozenset(slug(each) for each in (dimension, *DIMENSIONS.get(dimension, ())))


def listed_scopes(values: Iterable[str]) -> frozenset[str]:
    """A list of acceptable scopes under the names used here; a named place loses its name."""
    plain = (slug(value.partition(":")[0]) for value in values)
    return frozenset(_SCOPES.get(each, each) for each in plain)


def listed_dimensions(values: Iterable[str]) -> frozenset[str]:
    """A list of acceptable dimensions under the names used here."""
    plain = (slug(value) for value in values)
    return frozenset(_DIMENSIONS.get(each, each) for each in plain)

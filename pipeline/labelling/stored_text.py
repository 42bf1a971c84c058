"""Go through every text that a label leaves in the store. Pure."""

from collections.abc import Callable

from ...schemas.labels import Clarify, Label
from ...schemas.scope import Condition, Scope


def with_texts(label: Label, change: Callable[[str], str]) -> Label:
    """The label with every text in it changed; a target and a value are never left empty."""
    return label.model_copy(
        update={
            "target": change(label.target) or label.target,
            "value": change(label.value) or label.value,
            "statement": change(label.statement),
            "scope": _scope(label.scope, change) if isinstance(label.scope, Scope) else label.scope,
            "condition": _condition(label.condition, change),
            "exception": _condition(label.exception, change),
            "until": change(label.until) if isinstance(label.until, str) else label.until,
            "replaces": change(label.replaces) if label.replaces else label.replaces,
            "quote": tuple(change(quote) for quote in label.quote),
        }
    )


def _scope(scope: Scope, change: Callable[[str], str]) -> Scope:
    return Scope.model_validate({place: change(name) for place, name in scope.names.items()})


def _condition(condition: Condition | None, change: Callable[[str], str]) -> Condition | None:
    if condition is None:
        return None
    tags = tuple(tuple(change(tag) for tag in tags) for tags in condition.tags)
    return condition.model_copy(update={"words": change(condition.words), "tags": tags})


def question_with(clarify: Clarify, change: Callable[[str], str]) -> Clarify:
    """The question, and the label it is about, with every text in them changed."""
    label = clarify.label and with_texts(clarify.label, change)
    return Clarify(question=change(clarify.question), label=label)

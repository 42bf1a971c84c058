"""The two vocabularies: how a label reads in the words of a case, and of a labelled turn."""

from collections.abc import Iterable

from ...schemas.dimensions import REPLIES, Registry
from ...schemas.labels import Intent, Label, Span
from ...schemas.scope import Scope
from ..data.cases import CaseIntent, CaseScope
from ..data.wanted import Got
from .matcher import Meant

EVERYWHERE = "everywhere"

DIMENSIONS: dict[str, tuple[str, ...]] = {
    "addressing": ("address", "addressing"),
    "detail": ("detail", "content", "format", "length"),
    "citation": ("citation", "content", "format", "length"),
    "project_fact": ("project_fact", "tooling", "content"),
}
"""By dimension of a label: what it may be called in a case. Others keep their name."""


def case_got(label: Label, *, registry: Registry, supersedes: bool = False) -> Got:
    """How a label reads in the words of a case.

    Args:
        label: One label of an answer.
        registry: The dimensions.
        supersedes: Whether its plan ended a rule in favour of this one.
    """
    dimension = registry.dimension_of(label.dimension, label.target)
    return Got(
        intents=_case_intents(label, supersedes),
        dimensions=DIMENSIONS.get(dimension, (dimension,)),
        scopes=_case_scopes(label),
        conditional=label.condition is not None,
        meant=meant(label, registry=registry),
        quotes=label.quote,
        stores=label.intent is Intent.DURABLE,
        deletes=label.intent in {Intent.FORGET, Intent.RETIRE},
    )


def turn_got(label: Label, *, registry: Registry) -> Got:
    """How a label reads in the words of a labelled turn; retire counts as forget."""
    return Got(
        intents=(turn_intent(label),),
        dimensions=(registry.dimension_of(label.dimension, label.target),),
        scopes=(turn_scope(label),),
        conditional=label.condition is not None,
        meant=meant(label, registry=registry),
        quotes=label.quote,
        stores=label.intent is Intent.DURABLE,
        deletes=label.intent in {Intent.FORGET, Intent.RETIRE},
    )


def turn_intent(label: Label) -> str:
    """The intent, with retire read as forget."""
    return Intent.FORGET if label.intent is Intent.RETIRE else label.intent


def turn_scope(label: Label) -> str:
    """`everywhere`, the places with their names, or for a rule for now its span."""
    if label.intent is Intent.THIS_TASK:
        return label.span or Span.TASK
    return str(label.scope) if isinstance(label.scope, Scope) else EVERYWHERE


def meant(label: Label, *, registry: Registry, texts: Iterable[str] = ()) -> Meant:
    """What the label describes, for the matcher."""
    dimension = registry.dimension_of(label.dimension, label.target)
    return Meant(
        dimensions=frozenset(DIMENSIONS.get(dimension, (dimension,))),
        target=label.target or REPLIES,
        value=label.value,
        polarity=label.polarity,
        texts=tuple(texts),
    )


def _case_intents(label: Label, supersedes: bool) -> tuple[str, ...]:
    """The ways to read the intent, the likeliest first.

    A durable label is a `replace` where its plan supersedes a rule. One that says it revises
    is read so too: what it revises may have been missed on an earlier turn.
    """
    if label.intent is not Intent.DURABLE:
        plain = {Intent.THIS_TASK: CaseIntent.ONE_TASK, Intent.INFERRED: CaseIntent.INFERRED}
        return (plain.get(label.intent, CaseIntent.FORGET),)
    readings: list[CaseIntent] = []
    if label.revises or supersedes:
        readings.append(CaseIntent.REPLACE)
    if label.condition:
        readings.append(CaseIntent.CONDITIONAL)
    elif not supersedes:
        readings.append(CaseIntent.DURABLE)
    return tuple(readings)


def _case_scopes(label: Label) -> tuple[str, ...]:
    if label.intent is Intent.THIS_TASK:
        return (CaseScope.TASK,)
    if not isinstance(label.scope, Scope) or not label.scope.names:
        tasks = label.condition is not None and _is_kind_of_task(label)
        return (CaseScope.EVERYWHERE, CaseScope.TASK_TYPE) if tasks else (CaseScope.EVERYWHERE,)
    words = {"repository": CaseScope.REPO, "workspace": CaseScope.WORKSPACE}
    return tuple(words.get(kind, CaseScope.PROJECT) for kind in label.scope.names)


def _is_kind_of_task(label: Label) -> bool:
    """A condition without tags may be a kind of task too: its words alone do not tell."""
    condition = label.condition
    if condition is None:
        return False
    tags = [tag for alternative in condition.tags for tag in alternative]
    return not tags or any(tag.startswith("task:") for tag in tags)

"""Gold labels as a labeller would give them: the input of the state level with `--labels gold`."""

from ...schemas.dimensions import Registry
from ...schemas.labels import Label, NoneReason, TurnLabels
from .cases import Case


def gold_labels(case: Case, at: int, *, registry: Registry) -> TurnLabels:
    """What the turn says according to the case.

    The target sets the dimension, as it does for a labeller's answer. The first text of an
    edited message has no gold: it gets a planted label, so that something must be taken back.
    """
    labels = [each.label for each in case.labels or () if each.turn == at]
    if not labels and is_edited_away(case, at):
        labels = [_planted(case, each.label, at) for each in case.labels or ()]
    if not labels:
        return TurnLabels(none_reason=NoneReason.QUESTION)
    return TurnLabels(labels=tuple(_tied(label, registry) for label in labels))


def _tied(label: Label, registry: Registry) -> Label:
    dimension = registry.dimension_of(label.dimension, label.target)
    return label.model_copy(update={"dimension": dimension})


def is_edited_away(case: Case, at: int) -> bool:
    """Whether the message is delivered again with another text: this one never counted."""
    fault = case.fault
    return bool(fault and fault.kind == "edited" and at in fault.same_id[:-1])


def _planted(case: Case, label: Label, at: int) -> Label:
    text = case.turns[at].text
    return label.model_copy(update={"value": f"earlier-{label.value}", "statement": text})

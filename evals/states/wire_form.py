"""Labels in the form that a model writes them: the way back from what labelling reads."""

from ...pipeline.labelling.wire import WirePart, WireTurn
from ...schemas.labels import Intent, Label, Polarity, Span, TurnLabels
from ...schemas.scope import Scope
from ...schemas.turn import Turn


def wire_text(labels: TurnLabels, turn: Turn) -> str:
    """The answer of a model that says exactly these labels.

    A label without a quote gets the whole turn as its quote.
    """
    parts = [_part(label, turn) for label in labels.labels] or [_none(labels, turn)]
    return WireTurn(parts=parts).model_dump_json(exclude_defaults=True)


def _none(labels: TurnLabels, turn: Turn) -> WirePart:
    if labels.clarify is not None:
        return WirePart(quote=[turn.text], intent="unclear", question=labels.clarify.question)
    return WirePart(quote=[turn.text], intent="none", why=labels.none_reason)


def _part(label: Label, turn: Turn) -> WirePart:
    return WirePart.model_validate(
        {
            "quote": list(label.quote) or [turn.text],
            "intent": label.intent,
            "dimension": label.dimension,
            "target": label.target,
            "value": label.value,
            "avoid": label.polarity is Polarity.AVOID,
            "lift": label.polarity is Polarity.LIFT,
            "rule": label.statement,
            "kind": label.kind,
            "where": _where(label),
            "when": label.condition.words if label.condition else None,
            "tags": _tags(label),
            "unless": label.exception.words if label.exception else None,
            "until": str(label.until) if label.until else None,
            "whole_chat": label.intent is Intent.THIS_TASK and label.span is Span.CONVERSATION,
            "revises": label.revises,
            "replaces": label.replaces,
            "reach": label.reach,
            "back": label.back,
            "sweeping": label.sweeping,
        }
    )


def _where(label: Label) -> list[str]:
    if isinstance(label.scope, Scope):
        return [f"{kind}:{name}" for kind, name in label.scope.names.items()]
    return [label.scope] if label.scope else []


def _tags(label: Label) -> list[str]:
    alternatives = label.condition.tags if label.condition else ()
    return [tag for alternative in alternatives for tag in alternative]

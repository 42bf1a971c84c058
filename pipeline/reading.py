"""From what the model wrote to labels: canonical values, names, days. Pure; it never guesses."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import langcodes

from ..schemas.dimensions import REPLIES, Registry
from ..schemas.labels import (
    Clarify,
    Intent,
    Kind,
    Label,
    NoneReason,
    Polarity,
    Reach,
    Revises,
    Span,
    slug,
)
from ..schemas.scope import Condition
from ..schemas.turn import Turn
from .places import scope_of
from .until import until_of
from .values import ANY, canonical
from .wire import WirePart, WireTurn

LANGUAGE = "language"
"""The dimension whose values are tags where they name a language."""


@dataclass(frozen=True)
class Read:
    """What one answer of the model says, before anything is checked against the turn.

    Attributes:
        reasons: Why parts of the turn, or all of it, hold no instruction.
        private: Spans that the user asks not to keep.
    """

    labels: tuple[Label, ...] = ()
    reasons: tuple[NoneReason, ...] = ()
    clarify: Clarify | None = None
    private: tuple[str, ...] = ()


def read(wire: WireTurn, turn: Turn, registry: Registry) -> Read:
    """The labels, reasons and questions in an answer of the model."""
    unclear = [part for part in wire.parts if part.intent == "unclear"]
    return Read(
        labels=tuple(_label(part, turn, registry) for part in wire.parts if _instructs(part)),
        reasons=tuple(part.why for part in wire.parts if part.intent == "none" and part.why),
        clarify=Clarify(question=unclear[0].question or unclear[0].quote[0]) if unclear else None,
        private=tuple(wire.do_not_save),
    )


def _instructs(part: WirePart) -> bool:
    return part.intent not in {"none", "unclear"}


def _label(part: WirePart, turn: Turn, registry: Registry) -> Label:
    intent, target = Intent(part.intent), slug(part.target) or REPLIES
    dimension = registry.dimension_of(part.dimension, target)
    label = Label(
        intent=intent,
        kind=Kind(part.kind),
        dimension=dimension,
        target=target,
        value=_value(part, dimension),
        polarity=_polarity(part),
        statement=part.rule or " ".join(part.quote),
        scope=scope_of(part.where, turn),
        condition=condition(part.when, part.tags),
        exception=condition(part.unless, part.unless_tags),
        until=until_of(part.until, turn.said_at.date()),
        revises=Revises(part.revises) if part.revises else None,
        replaces=part.replaces or None,
        back=part.back and intent is Intent.FORGET,
        sweeping=part.sweeping,
        quote=tuple(part.quote),
    )
    return label.model_copy(update=_bounds(part, intent))


def _bounds(part: WirePart, intent: Intent) -> dict[str, Span | Reach]:
    """What only one intent has: how long a rule for now holds, how much an ending takes."""
    if intent is Intent.THIS_TASK and part.whole_chat:
        return {"span": Span.CONVERSATION}
    if intent in {Intent.FORGET, Intent.RETIRE} and part.reach:
        return {"reach": Reach(part.reach)}
    return {}


def _value(part: WirePart, dimension: str) -> str:
    """The value; of a language its tag. A part without one means all of its slot, or its words."""
    if not part.value.strip():
        return ANY if part.intent in {"forget", "retire"} else part.rule or part.quote[0]
    tag = canonical(part.value, dimension) if dimension == LANGUAGE else ""
    return tag if langcodes.tag_is_valid(tag) else part.value.strip()


def _polarity(part: WirePart) -> Polarity:
    if part.lift:
        return Polarity.LIFT
    return Polarity.AVOID if part.avoid else Polarity.DO


def condition(words: str | None, tags: Sequence[str]) -> Condition | None:
    """The condition in words and tags; what is no tag is left out, the words stay."""
    kept = tuple(_well_formed(tags))
    if not words and not kept:
        return None
    return Condition(words=words or ", ".join(kept), tags=(kept,) if kept else ())


def _well_formed(tags: Iterable[str]) -> Iterable[str]:
    for tag in tags:
        kind, colon, value = tag.partition(":")
        if colon and kind.strip() and value.strip():
            yield tag

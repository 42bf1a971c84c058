"""From what the model wrote to labels: canonical values, names, days. Pure; it never guesses."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import langcodes

from ...schemas.dimensions import REPLIES, Registry
from ...schemas.labels import (
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
from ...schemas.scope import Condition
from ...schemas.turn import Turn
from ..core.values import ANY, canonical, words
from .places import scope_of
from .until import until_of
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
    intent, target = Intent(part.intent), _target(part, registry)
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
        condition=_condition(part, target),
        exception=condition(part.unless, part.unless_tags),
        until=until_of(part.until, turn.said_at.date()),
        revises=Revises(part.revises) if part.revises else None,
        replaces=part.replaces or None,
        back=part.back and intent is Intent.FORGET,
        sweeping=part.sweeping,
        quote=tuple(part.quote),
    )
    return label.model_copy(update=_bounds(part, intent))


_ALL_REPLIES = frozenset({"answer", "answers", "reply", "response", "responses"})


def _target(part: WirePart, registry: Registry) -> str:
    """The target; one that only says the dimension or the value again is none."""
    named = slug(part.target)
    if registry.is_listed(named):
        return named
    said_again = {slug(part.dimension), slug(part.value), *_ALL_REPLIES}
    return REPLIES if not named or named in said_again else named


def _condition(part: WirePart, target: str) -> Condition | None:
    """When it holds. What is for the task in hand needs no words for that task."""
    found = condition(part.when, part.tags)
    if part.intent != "this_task" or target != REPLIES or found is None:
        return found
    tags = [tag for alternative in found.tags for tag in alternative]
    return None if all(tag.startswith("task:") for tag in tags) else found


def _bounds(part: WirePart, intent: Intent) -> dict[str, Span | Reach]:
    """What only one intent has: how long a rule for now holds, how much an ending takes."""
    if intent is Intent.THIS_TASK and part.whole_chat:
        return {"span": Span.CONVERSATION}
    if intent in {Intent.FORGET, Intent.RETIRE} and part.reach:
        return {"reach": Reach(part.reach)}
    return {}


def _value(part: WirePart, dimension: str) -> str:
    """The value; of a language its tag. A part without one means all of its slot, or its words."""
    takes_back = part.intent in {"forget", "retire"}
    if takes_back and slug(part.value) in {"", slug(part.dimension)}:
        return ANY  # "forget what I said on length" names an aspect and no value
    if not part.value.strip():
        return part.rule or part.quote[0]
    tag = canonical(part.value, dimension) if dimension == LANGUAGE else ""
    if not langcodes.tag_is_valid(tag):
        return part.value.strip()
    return _as_named(tag, " ".join(part.quote))


def _as_named(tag: str, text: str) -> str:
    """The tag, without the usual country or script of a language that is named without them.

    Models like to add one that nobody mentioned. What is not the usual one stays.
    """
    bare = tag.partition("-")[0]
    usual = langcodes.get(bare).maximize() == langcodes.get(tag).maximize()
    return bare if usual and any(canonical(it, LANGUAGE) == bare for it in words(text)) else tag


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

"""Labellers whose scores are known beforehand: they test the scores, not the labels."""

from collections.abc import Callable
from hashlib import sha256

from ...schemas.labels import Intent, Label, NoneReason, TurnLabels
from ...schemas.turn import Turn

Labeller = Callable[[Turn], TurnLabels]
"""A labeller without a model."""


def always_none(turn: Turn) -> TurnLabels:
    """Says that no turn holds an instruction: no false store, and nothing recalled."""
    return TurnLabels(none_reason=NoneReason.QUESTION)


def always_durable(turn: Turn) -> TurnLabels:
    """Stores every turn: all is recalled, and each turn that must leave nothing leaves a rule."""
    return TurnLabels(labels=(_durable(turn),))


def at_random(turn: Turn) -> TurnLabels:
    """Stores about half of the turns, by the hash of the turn alone: the same on every run."""
    digest = sha256(f"{turn.id}\n{turn.text}".encode("utf-8", "surrogatepass")).digest()
    return always_durable(turn) if digest[0] % 2 else always_none(turn)


def _durable(turn: Turn) -> Label:
    text = turn.text.strip() or "?"
    return Label(
        intent=Intent.DURABLE, dimension="other", value=text, statement=text, quote=(text,)
    )


PLANTED: dict[str, Labeller] = {
    "always-none": always_none,
    "always-durable": always_durable,
    "random": at_random,
}
"""By the name that `--labels` takes."""

"""What a run would cost, before anything is sent. Estimates tokens on the safe side."""

from collections.abc import Iterable
from dataclasses import dataclass

from ...prompts import load_prompt
from ...schemas.dimensions import Registry
from ..labelling.label import PROMPT
from ..labelling.messages import render_messages
from ..labelling.windows import estimated_tokens
from ..settings import Settings
from .cache import LabelCache
from .readers import Reject, Said
from .recipe import Recipe

TYPICAL_ANSWER = 120
"""Tokens of an answer, where no answer is known yet to go by."""


@dataclass
class Estimate:
    """What labelling would take.

    Attributes:
        turns: All turns in the user's role.
        cached: Turns whose labels are paid for, or asked for once already in this run.
        asked: Requests that would be made.
        prefix: Tokens at the head of each request that never change: many endpoints cache them.
        cost: US dollars at the full price; None where the price is not known.
    """

    turns: int = 0
    machine: int = 0
    rejected: int = 0
    cached: int = 0
    asked: int = 0
    prefix: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None


def estimate(
    given: Iterable[Said | Reject],
    *,
    recipe: Recipe,
    cache: LabelCache | None,
    settings: Settings,
    registry: Registry,
    priced: bool = True,
) -> Estimate:
    """Count the turns and what labelling them would take; nothing is sent.

    Args:
        given: All turns.
        recipe: What their labels depend on besides them.
        cache: The labels that are paid for.
        settings: The model, and what it sees of a turn.
        registry: The dimensions.
        priced: Whether the model is one that has a price.
    """
    made, seen, prompt = Estimate(), set[bytes](), load_prompt(PROMPT, settings.prompt)
    for item in given:
        if isinstance(item, Reject):
            made.rejected += 1
            continue
        made.turns += 1
        if item.machine:
            made.machine += 1
            continue
        key = recipe.key(item.turn)
        if key in seen or (cache is not None and cache.get(key) is not None):
            made.cached += 1
            continue
        seen.add(key)
        *prefix, last = render_messages(item.turn, prompt, registry, preceding=settings.preceding)
        made.prefix = made.prefix or sum(estimated_tokens(each.text) for each in prefix)
        made.asked += 1
        made.tokens_in += made.prefix + estimated_tokens(last.text)
        made.tokens_out += TYPICAL_ANSWER
    if priced:
        cost = price(settings.model, made.tokens_in, made.tokens_out) if made.asked else 0.0
        made.cost = cost
    return made


def price(model: str | None, tokens_in: int, tokens_out: int) -> float | None:
    """US dollars for so many tokens; None where the price of the model is not known."""
    from ..labelling.llm import litellm

    try:
        costs = litellm().cost_per_token(
            model=model, prompt_tokens=tokens_in, completion_tokens=tokens_out
        )
    except Exception:  # litellm raises a plain Exception for a model it has no price for
        return None
    return float(sum(costs))

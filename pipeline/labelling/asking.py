"""How a model is asked what a turn says: the calling strategy, and nothing else.

A model that judges well is asked one question for each window of a turn. A small one is bad at
telling an instruction from anything else, so a trained judge says which intents a window may hold,
and the model finds their words, and what they ask for. Whatever is asked comes back as `Read`:
unchecked labels, which `checking` then holds against the turn.
"""

from dataclasses import dataclass

from ...prompts import Prompt
from ...schemas.dimensions import Registry
from ...schemas.labels import Intent, NoneReason, Usage
from ...schemas.turn import Turn
from ..settings import Screen
from .messages import render_messages
from .model import LabelModel
from .reading import Read, read
from .screen.judge import intents_of, surely_empty
from .wire import shape_for


@dataclass(frozen=True)
class Asking:
    """What stays the same from turn to turn.

    Attributes:
        preceding: How many messages before the turn the model sees.
        screen: How much the trained judge decides; see `Settings.screen`.
    """

    model: LabelModel
    prompt: Prompt
    registry: Registry
    preceding: int
    screen: Screen = "off"


async def ask(turn: Turn, asking: Asking) -> tuple[Read, Usage]:
    """What the model says of the turn, or of a window of it, and what that cost.

    Raises:
        LabelError: If the model gives no valid answer.
    """
    intents = _intents(turn, asking.screen)
    if intents is None:
        return Read(reasons=(NoneReason.TASK_REQUEST,)), Usage()
    messages = render_messages(turn, asking.prompt, asking.registry, preceding=asking.preceding)
    shape = shape_for(asking.registry, intents, one_span=bool(intents) and not turn.before)
    answer = await asking.model.ask(messages, shape, turn=turn.id)
    return read(answer.value, turn, asking.registry), answer.usage


def _intents(turn: Turn, screen: Screen) -> tuple[Intent, ...] | None:
    """The intents to choose from, none for all of them; None if there is nothing to ask."""
    if screen == "off":
        return ()
    if screen == "gate":
        return None if surely_empty(turn) else ()
    return intents_of(turn) or None

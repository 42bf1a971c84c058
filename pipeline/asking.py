"""How a model is asked what a turn says: the calling strategy, and nothing else.

One question for one window of a turn, today. Whatever is asked, in one step or several, comes
back as `Read`: unchecked labels, which `checking` then holds against the turn.
"""

from dataclasses import dataclass

from ..prompts import Prompt
from ..schemas.dimensions import Registry
from ..schemas.labels import Usage
from ..schemas.turn import Turn
from .messages import render_messages
from .model import LabelModel
from .reading import Read, read
from .wire import shape_for


@dataclass(frozen=True)
class Asking:
    """What stays the same from turn to turn.

    Attributes:
        preceding: How many messages before the turn the model sees.
    """

    model: LabelModel
    prompt: Prompt
    registry: Registry
    preceding: int


async def ask(turn: Turn, asking: Asking) -> tuple[Read, Usage]:
    """What the model says of the turn, or of a window of it, and what that cost.

    Raises:
        LabelError: If the model gives no valid answer.
    """
    messages = render_messages(turn, asking.prompt, asking.registry, preceding=asking.preceding)
    answer = await asking.model.ask(messages, shape_for(asking.registry), turn=turn.id)
    return read(answer.value, turn, asking.registry), answer.usage

"""A labeller that knows its turns by heart: no model, and as slow or broken as a test wants it."""

import math
from collections.abc import Mapping, Sequence

import anyio

from henceforth.pipeline.errors import ModelUnavailableError
from henceforth.schemas.labels import Intent, Label, LabelledBy, NoneReason, TurnLabels
from henceforth.schemas.outcome import Labelled
from henceforth.schemas.turn import Turn

BY = LabelledBy(model="by-heart", prompt="none")


def durable(dimension: str, value: str, statement: str = "", quote: str = "") -> Label:
    return Label(
        intent=Intent.DURABLE, dimension=dimension, value=value, statement=statement, quote=(quote,)
    )


ENGLISH = "Use English for all future replies."
CONCISE = "Keep answers concise from now on."
CHINESE = "Use Chinese by default."

STUCK = "This one takes for ever."

KNOWN: Mapping[str, Sequence[Label]] = {
    ENGLISH: [durable("language", "en", ENGLISH, ENGLISH)],
    CONCISE: [durable("length", "concise", CONCISE, CONCISE)],
    CHINESE: [durable("language", "zh", CHINESE, CHINESE)],
}


class ByHeart:
    """Labels the turns of a table; any other says nothing.

    Attributes:
        asked: The texts that were labelled, in order.
        gate: Where set, each turn takes until it opens.
        broken: While set, every turn fails.
        delay: Seconds that each turn takes; STUCK takes for ever.
    """

    def __init__(self, known: Mapping[str, Sequence[Label]] = KNOWN) -> None:
        self._known = known
        self.asked: list[Turn] = []
        self.broken = False
        self.delay = 0.0
        self.gate: anyio.Event | None = None

    async def label(self, turn: Turn) -> Labelled:
        self.asked.append(turn)
        await anyio.sleep(math.inf if turn.text == STUCK else self.delay)
        if self.gate is not None:
            await self.gate.wait()
        if self.broken:
            why = "it is down"
            raise ModelUnavailableError(turn=turn.id, model="by-heart", attempts=1, why=why)
        found = tuple(self._known.get(turn.text, ()))
        labels = TurnLabels(labels=found, none_reason=None if found else NoneReason.TASK_REQUEST)
        return Labelled(labels=labels, labelled_by=BY)

    @property
    def texts(self) -> list[str]:
        return [turn.text for turn in self.asked]

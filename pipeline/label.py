"""Label a turn: ask the model what it says, and check the answer in code. No store."""

from ..prompts import Prompt, load_prompt
from ..schemas.dimensions import Registry, default_registry
from ..schemas.labels import LabelledBy, NoneReason, TurnLabels
from ..schemas.outcome import Labelled
from ..schemas.turn import Turn
from .checking import checked
from .messages import render_messages
from .model import LabelModel, total
from .reading import read
from .recording import conversation
from .settings import Settings
from .wire import shape_for

PROMPT = "label_turn"

BY_CODE = LabelledBy(model="code", prompt="none")
"""Who labelled a turn that needs no model."""


async def label(
    turn: Turn,
    *,
    model: LabelModel,
    prompt: Prompt | None = None,
    registry: Registry | None = None,
    settings: Settings | None = None,
) -> Labelled:
    """What the turn says: labels, or why there are none, or a question to ask.

    The answer depends on the turn alone, never on what is stored. Every label rests on words of
    the user, letter for letter; what the model invents, quotes or was asked not to keep is
    dropped. A turn that nobody can have said, or that says nothing, is not put to the model.

    Args:
        turn: The turn with the messages before it.
        model: Who answers.
        prompt: What to ask; without it the version in the settings, else the latest.
        registry: The dimensions; without it those that ship.
        settings: How many messages before the turn are shown, and how much of it at once.

    Raises:
        LabelError: If the model gives no valid answer. That is never the same as no label.
    """
    settings = settings or Settings()
    registry = registry or default_registry()
    if reason := _no_need_to_ask(turn):
        return Labelled(labels=TurnLabels(none_reason=reason), labelled_by=BY_CODE)
    prompt = prompt or load_prompt(PROMPT, settings.prompt)
    messages = render_messages(turn, prompt, registry, preceding=settings.preceding)
    with conversation(turn.context.conversation or turn.id):
        answer = await model.ask(messages, shape_for(registry), turn=turn.id)
    labels, dropped = checked([read(answer.value, turn, registry)], turn)
    return Labelled(
        labels=labels,
        labelled_by=LabelledBy(model=model.name, prompt=prompt.ref),
        usage=total([answer.usage]),
        dropped=dropped,
    )


def _no_need_to_ask(turn: Turn) -> NoneReason | None:
    """Why the turn holds no instruction, where no model is needed to see it."""
    if turn.speaker is None and len(turn.participants) > 1:
        return NoneReason.UNKNOWN_SPEAKER
    if not any(character.isalnum() for character in turn.text):
        return NoneReason.ACKNOWLEDGEMENT if turn.before else NoneReason.SMALL_TALK
    return None

"""Label a turn: ask the model what it says, and check the answer in code. No store."""

from ...prompts import Prompt, load_prompt
from ...prompts.loading import PromptError
from ...schemas.dimensions import Registry, default_registry
from ...schemas.labels import LabelledBy, NoneReason, TurnLabels, Usage
from ...schemas.outcome import Labelled
from ...schemas.turn import Turn
from ..errors import UnknownPromptError, WindowExceededError
from ..replay.recording import conversation
from ..settings import Settings
from .asking import Asking, ask
from .checking import checked
from .machine_text import unsaid
from .model import LabelModel, total
from .reading import Read
from .windows import windows

PROMPT = "label_turn"

BY_CODE = LabelledBy(model="code", prompt="none")
"""Who labelled a turn that needs no model."""

SMALLEST_WINDOW = 100
"""Tokens of a turn that are never cut further: a model that cannot read them cannot label."""


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
    if reason := _no_need_to_ask(turn):
        return Labelled(labels=TurnLabels(none_reason=reason), labelled_by=BY_CODE)
    settings = settings or Settings()
    prompt = prompt or _prompt(settings)
    asking = Asking(
        model, prompt, registry or default_registry(), settings.preceding, settings.screening
    )
    usages: list[Usage] = []
    with conversation(turn.context.conversation or turn.id):
        answers = await _all_windows(turn, settings.window, asking, usages)
    labels, dropped = checked(answers, turn)
    return Labelled(
        labels=labels,
        labelled_by=LabelledBy(model=model.name, prompt=prompt.ref),
        usage=total(usages),
        dropped=dropped,
    )


async def _all_windows(turn: Turn, tokens: int, asking: Asking, usages: list[Usage]) -> list[Read]:
    """The answers for all of the turn; windows that prove too large are cut smaller."""
    answers: list[Read] = []
    try:
        for text in windows(turn.text, tokens):
            said, usage = await ask(turn.model_copy(update={"text": text}), asking)
            answers.append(said)
            usages.append(usage)
    except WindowExceededError:
        if tokens // 2 < SMALLEST_WINDOW:
            raise
        return await _all_windows(turn, tokens // 2, asking, usages)
    return answers


def _prompt(settings: Settings) -> Prompt:
    try:
        return load_prompt(PROMPT, settings.prompt)
    except PromptError as error:
        raise UnknownPromptError(name=PROMPT, version=settings.prompt, why=str(error)) from error


def _no_need_to_ask(turn: Turn) -> NoneReason | None:
    """Why the turn holds no instruction, where no model is needed to see it."""
    if turn.speaker is None and len(turn.participants) > 1:
        return NoneReason.UNKNOWN_SPEAKER
    if not any(character.isalnum() for character in turn.text):
        return NoneReason.ACKNOWLEDGEMENT if turn.before else NoneReason.SMALL_TALK
    return unsaid(turn.text)

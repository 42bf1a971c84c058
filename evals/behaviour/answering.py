"""Puts one question to an answering model, with a block of rules in its system prompt."""

from typing import Any

from ...pipeline.labelling.llm import litellm
from ...pipeline.labelling.model_failures import explained, is_transient
from ...pipeline.labelling.retries import Limits, tried
from ...pipeline.replay.recording import replay_key
from ...pipeline.settings import Settings
from ...schemas.ids import TurnId

ASSISTANT = "You are a helpful assistant."
"""What stands before the block: no word about rules, so that only the block can speak of them."""

LONGEST = 500
"""Tokens that an answer may take; a rule of brevity must be able to fail within them."""


async def ask(block: str, question: str, *, settings: Settings) -> str:
    """The answer of the model.

    Raises:
        LabelError: If the model cannot be reached or refuses; the name is that of labelling.
        CassetteMissError: If the answer is not on the tape.
    """
    system = f"{ASSISTANT}\n\n{block}" if block else ASSISTANT
    request = _request(settings, system, question)
    tries = 0

    async def once() -> Any:
        nonlocal tries
        tries += 1
        return await litellm().acompletion(**request, max_retries=0, num_retries=0)

    limits = Limits(attempts=settings.attempts, seconds=settings.total_time)
    try:
        response = await tried(once, limits, transient=is_transient)
    except Exception as error:
        model = settings.model or "none"
        raise explained(error, TurnId("probe"), model, tries) from error
    return str(response.choices[0].message.content or "")


def _request(settings: Settings, system: str, question: str) -> dict[str, Any]:
    key = settings.api_key
    given = {
        "model": settings.model,
        "messages": [
            {"role": "system", "content": system},
            {"role": "user", "content": question},
        ],
        "temperature": settings.temperature,
        "max_tokens": LONGEST,
        "timeout": settings.timeout,
        "api_base": settings.api_base,
        "api_key": key.get_secret_value() if key else replay_key(),
    }
    return {name: value for name, value in given.items() if value is not None}

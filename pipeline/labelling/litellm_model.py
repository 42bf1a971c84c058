"""The model behind litellm and instructor: any litellm model string, any endpoint."""

import os
import time
from collections.abc import Sequence
from typing import Any

import anyio
from anyio.lowlevel import RunVar

from ...schemas.ids import TurnId
from ...schemas.labels import Usage
from ...schemas.turn import Message
from ..errors import SettingsError
from ..replay.recording import replay_key
from ..settings import Settings
from .answers import json_part
from .llm import instructor_client, litellm
from .model import Answer, M, Token, total
from .model_failures import EmptyAnswerError, explained, is_invalid, is_transient
from .retries import Limits, tried


class LiteLLMModel:
    """Asks any model that litellm knows, in JSON that the schema of the shape constrains.

    A request that fails is tried again within `attempts` and `total_time`, an invalid answer is
    asked for anew with the reason; at most `concurrency` questions are under way at a time.
    """

    def __init__(self, settings: Settings) -> None:
        if settings.model is None:
            raise SettingsError(
                key="model",
                origin="model (an argument, HENCEFORTH_MODEL, or henceforth.toml)",
                allowed="any litellm model string, such as ollama_chat/qwen3; none is set",
            )
        self._settings = settings
        self._name = settings.model
        self._limiter: RunVar[anyio.CapacityLimiter] = RunVar("henceforth.concurrency")

    @property
    def name(self) -> str:
        """The litellm model string."""
        return self._name

    async def ask(
        self,
        messages: Sequence[Message],
        shape: type[M],
        *,
        turn: TurnId,
        top_logprobs: int = 0,
    ) -> Answer[M]:
        """The answer in the given shape; see `LabelModel.ask`."""
        question = _Question(self._name, self._settings, top_logprobs)
        async with self._free_place():
            started = time.monotonic()
            try:
                with anyio.fail_after(self._settings.total_time):
                    value = await question.put(messages, shape)
            except Exception as error:
                raise explained(error, turn, self._name, question.attempts) from error
        return Answer(value, question.usage(time.monotonic() - started), question.tokens())

    def _free_place(self) -> anyio.CapacityLimiter:
        """The limiter of the running event loop: one bound to another loop cannot be waited on."""
        try:
            return self._limiter.get()
        except LookupError:
            self._limiter.set(anyio.CapacityLimiter(self._settings.concurrency))
            return self._limiter.get()


class _Question:
    """One question with all its requests: what they answered and what they cost."""

    def __init__(self, model: str, settings: Settings, top_logprobs: int) -> None:
        self._model, self._settings = model, settings
        self._logprobs = {"logprobs": True, "top_logprobs": top_logprobs} if top_logprobs else {}
        self._spent: list[Usage] = []
        self._last: Any = None
        self.attempts = 0

    async def put(self, messages: Sequence[Message], shape: type[M]) -> M:
        """Ask, and ask anew with the reason while the answer is invalid."""
        return await instructor_client(self._answered).create(
            response_model=shape,
            messages=[_sent(each) for each in messages],
            max_retries=self._asked_anew(),
            **self._arguments(),
        )

    def _arguments(self) -> dict[str, Any]:
        given = {
            "model": self._model,
            "temperature": self._settings.temperature,
            "max_tokens": self._settings.max_tokens,
            "timeout": self._settings.timeout,
            "api_base": self._settings.api_base,
            "api_key": self._key(),
        }
        return {name: value for name, value in given.items() if value is not None} | self._logprobs

    def _key(self) -> str | None:
        """The key of the settings; a stand-in where none is needed but a client insists on one."""
        if self._settings.api_key is not None:
            return self._settings.api_key.get_secret_value()
        own_server = self._settings.api_base is not None and self._model.startswith("openai/")
        if own_server and not os.environ.get("OPENAI_API_KEY"):
            return "no-key-needed"
        return replay_key()

    def _asked_anew(self) -> Any:
        from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt

        return AsyncRetrying(
            stop=stop_after_attempt(self._settings.attempts),
            retry=retry_if_exception(is_invalid),
            reraise=True,
        )

    async def _answered(self, **request: Any) -> Any:
        """One answer of the endpoint, tried again while it fails in passing."""

        async def once() -> Any:
            self.attempts += 1
            response = await litellm().acompletion(**request, max_retries=0, num_retries=0)
            if not response.choices:
                raise EmptyAnswerError
            return response

        limits = Limits(attempts=self._settings.attempts, seconds=self._settings.total_time)
        response = await tried(once, limits, transient=is_transient)
        self._spent.append(_spent(response, self._model))
        self._last = response
        message = response.choices[0].message
        message.content = json_part(message.content or "")
        return response

    def tokens(self) -> tuple[Token, ...]:
        """The last answer token by token, as far as the endpoint says."""
        logprobs = getattr(self._last.choices[0], "logprobs", None)
        return tuple(_token(each) for each in getattr(logprobs, "content", None) or ())

    def usage(self, seconds: float) -> Usage:
        """What all requests of the question cost together."""
        spent = total(self._spent)
        took = round(seconds * 1000)
        return spent.model_copy(update={"milliseconds": took, "attempts": self.attempts})


def _sent(message: Message) -> Any:
    return {"role": message.role.value, "content": message.text}


def _token(found: Any) -> Token:
    alternatives = {each.token: each.logprob for each in found.top_logprobs or ()}
    return Token(found.token, found.logprob, alternatives)


def _spent(response: Any, model: str) -> Usage:
    """What one response cost; taken at once, as instructor adds up in the response itself."""
    counts = getattr(response, "usage", None)
    return Usage(
        tokens_in=getattr(counts, "prompt_tokens", None) or 0,
        tokens_out=getattr(counts, "completion_tokens", None) or 0,
        cost=_cost(response, model),
    )


def _cost(response: Any, model: str) -> float | None:
    """What litellm knows of the price; it raises for a model it has no price for."""
    try:
        return float(litellm().completion_cost(completion_response=response, model=model))
    except Exception:
        return None

"""What a model may do wrong, over real HTTP: each fault has its outcome."""

import logging
from typing import Any

import anyio
import pytest

from henceforth.pipeline.errors import (
    LabelError,
    LabelsRejectedError,
    ModelRefusedError,
    ModelUnavailableError,
    SettingsError,
    WindowExceededError,
)
from henceforth.pipeline.labelling.litellm_model import LiteLLMModel
from henceforth.pipeline.labelling.model import Answer
from henceforth.pipeline.labelling.retries import no_waits
from henceforth.pipeline.labelling.wire import Wire
from henceforth.pipeline.settings import Settings
from henceforth.schemas.ids import TurnId
from henceforth.schemas.turn import Message, Role

from ..conftest import ModelServer, Reply

pytestmark = [pytest.mark.anyio]

TURN = TurnId("talk/3")


class Sum(Wire):
    total: int


def model(server: ModelServer, **settings: Any) -> LiteLLMModel:
    given = {"timeout": 5.0, "total_time": 20.0, **settings}
    return LiteLLMModel(
        Settings.model_validate(
            {"model": "openai/m", "api_base": server.url, "api_key": "local-key", **given}
        )
    )


async def ask(asked: LiteLLMModel, **options: int) -> Answer[Sum]:
    with no_waits():
        message = Message(role=Role.USER, text="1 + 1")
        return await asked.ask([message], Sum, turn=TURN, **options)


ANSWERS = {
    "plain": '{"total": 2}',
    "in prose": 'Sure! Here it is: {"total": 2}. Anything else?',
    "in a code fence": 'Certainly:\n```json\n{"total": 2}\n```\n',
    "after braces in prose": 'I use {braces} a lot. {"total": 2}',
}


@pytest.mark.parametrize("text", ANSWERS.values(), ids=ANSWERS)
async def test_the_object_is_found_in_what_the_model_writes_around_it(
    server: ModelServer, text: str
) -> None:
    server.says(text)

    answer = await ask(model(server))

    assert answer.value.total == 2
    assert answer.usage.attempts == 1


INVALID = {
    "prose": Reply("I would rather not."),
    "half an object": Reply('{"total": '),
    "a list": Reply('[{"total": 2}]'),
    "no content": Reply(None),
    "another object": Reply('{"sum": 2}'),
    "a wrong type": Reply('{"total": "many"}'),
}


@pytest.mark.parametrize("reply", INVALID.values(), ids=INVALID)
async def test_an_invalid_answer_is_asked_for_anew_with_the_reason(
    server: ModelServer, reply: Reply
) -> None:
    server.says(reply, '{"total": 2}')

    answer = await ask(model(server))

    assert answer.value.total == 2
    assert (answer.usage.attempts, answer.usage.tokens_in, answer.usage.tokens_out) == (2, 14, 6)
    assert "validation error" in server.asked()
    assert "errors.pydantic.dev" not in server.asked()


@pytest.mark.parametrize("reply", INVALID.values(), ids=INVALID)
async def test_a_model_that_never_answers_in_shape_is_rejected_within_its_attempts(
    server: ModelServer, reply: Reply
) -> None:
    server.says(reply)

    with pytest.raises(LabelsRejectedError, match="talk/3") as caught:
        await ask(model(server, attempts=2))

    assert len(server.requests) == caught.value.attempts == 2
    assert caught.value.__cause__ is not None


async def test_an_answer_cut_at_its_limit_is_rejected_and_not_asked_for_again(
    server: ModelServer,
) -> None:
    server.says(Reply('{"total": 2', finish="length"))

    with pytest.raises(LabelsRejectedError, match="max_tokens"):
        await ask(model(server))

    assert len(server.requests) == 1


PASSING = {
    "rate limit": Reply(status=429, body=b'{"error": {"message": "slow down"}}'),
    "server error": Reply(status=500, body=b"oops"),
    "bad gateway": Reply(status=502, body=b"<html>"),
    "unavailable": Reply(status=503, body=b"later"),
    "request timeout": Reply(status=408, body=b"{}"),
    "empty body": Reply(body=b""),
    "no JSON": Reply(body=b"<html>hello</html>"),
    "no choices": Reply(body=b"{}"),
    "an empty list of choices": Reply(body=b'{"choices": []}'),
    "hangs up": Reply(hangs_up=True),
}


@pytest.mark.parametrize("reply", PASSING.values(), ids=PASSING)
async def test_a_failure_that_may_pass_is_tried_again(server: ModelServer, reply: Reply) -> None:
    server.says(reply, '{"total": 2}')

    answer = await ask(model(server))

    assert answer.value.total == 2
    assert answer.usage.attempts == len(server.requests) == 2


@pytest.mark.parametrize("reply", PASSING.values(), ids=PASSING)
async def test_a_failure_that_stays_ends_after_the_attempts(
    server: ModelServer, reply: Reply
) -> None:
    server.says(reply)

    with pytest.raises(ModelUnavailableError) as caught:
        await ask(model(server, attempts=3))

    assert len(server.requests) == caught.value.attempts == 3


ODD = {
    "a list": b"[]",
    "a text": b'"hello"',
    "null": b"null",
    "null for choices": b'{"choices": null}',
    "an empty choice": b'{"choices": [{}]}',
    "null for a message": b'{"choices": [{"index": 0, "message": null}]}',
    "an error with status 200": b'{"error": {"message": "overloaded"}}',
    "a number for a text": b'{"choices": [{"index": 0, "message": {"content": 7}}]}',
}


@pytest.mark.parametrize("body", ODD.values(), ids=ODD)
async def test_whatever_an_endpoint_answers_the_turn_is_not_lost(
    server: ModelServer, body: bytes
) -> None:
    server.says(Reply(body=body))

    with pytest.raises(LabelError, match="can be labelled again"):
        await ask(model(server, attempts=2))


async def test_a_model_that_hangs_is_given_up_after_the_timeout(server: ModelServer) -> None:
    server.says(Reply('{"total": 2}', seconds=0.6))

    with pytest.raises(ModelUnavailableError):
        await ask(model(server, timeout=0.2, attempts=2))

    assert len(server.requests) == 2


async def test_all_tries_together_end_with_the_total_time(server: ModelServer) -> None:
    server.says(Reply('{"total": 2}', seconds=1.0))

    with pytest.raises(ModelUnavailableError, match="time for all tries"):
        await ask(model(server, total_time=0.2, timeout=5.0))


async def test_nobody_listening_is_unavailable(server: ModelServer) -> None:
    unused = model(server, api_base="http://127.0.0.1:9/v1", attempts=2)

    with pytest.raises(ModelUnavailableError):
        await ask(unused)


async def test_a_key_that_is_missing_is_refused_and_not_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    keyless = LiteLLMModel(Settings(model="openai/m"))

    with pytest.raises(ModelRefusedError, match="OPENAI_API_KEY") as caught:
        await ask(keyless)

    assert caught.value.attempts == 1


async def test_a_server_of_ones_own_needs_no_key(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    server.says('{"total": 2}')

    answer = await ask(model(server, api_key=None))

    assert answer.value.total == 2


REFUSED = {
    "wrong key": Reply(status=401, body=b'{"error": {"message": "bad key"}}'),
    "forbidden": Reply(status=403, body=b'{"error": {"message": "no"}}'),
    "unknown model": Reply(status=404, body=b'{"error": {"message": "no such model"}}'),
    "bad request": Reply(status=400, body=b'{"error": {"message": "what?"}}'),
}


@pytest.mark.parametrize("reply", REFUSED.values(), ids=REFUSED)
async def test_a_refusal_is_not_tried_again(server: ModelServer, reply: Reply) -> None:
    server.says(reply)

    with pytest.raises(ModelRefusedError):
        await ask(model(server))

    assert len(server.requests) == 1


async def test_a_request_larger_than_the_window_says_so(server: ModelServer) -> None:
    message = "This model's maximum context length is 8192 tokens."
    server.says(Reply(status=400, body=f'{{"error": {{"message": "{message}"}}}}'.encode()))

    with pytest.raises(WindowExceededError):
        await ask(model(server))


async def test_a_key_in_the_message_of_a_provider_is_not_repeated(server: ModelServer) -> None:
    body = b'{"error": {"message": "Incorrect API key provided: sk-abc12345678 is wrong"}}'
    server.says(Reply(status=401, body=body))

    with pytest.raises(ModelRefusedError) as caught:
        await ask(model(server))

    assert "sk-abc12345678" not in str(caught.value)


async def test_the_schema_of_the_shape_goes_along(server: ModelServer) -> None:
    server.says('{"total": 2}')

    await ask(model(server))

    asked = server.requests[0]
    assert asked["response_format"]["json_schema"]["schema"] == {
        "type": "object",
        "properties": {"total": {"type": "integer"}},
        "required": ["total"],
        "additionalProperties": False,
    }
    assert (asked["temperature"], asked["max_tokens"]) == (0.0, 1024)


async def test_log_probabilities_come_back_token_by_token(server: ModelServer) -> None:
    token = {"token": "2", "logprob": -0.1, "bytes": None}
    other = {"token": "3", "logprob": -2.5, "bytes": None}
    content = [{**token, "top_logprobs": [token, other]}]
    server.says(Reply('{"total": 2}', logprobs={"content": content}))

    answer = await ask(model(server), top_logprobs=2)

    assert (server.requests[0]["logprobs"], server.requests[0]["top_logprobs"]) == (True, 2)
    assert [token.text for token in answer.tokens] == ["2"]
    assert answer.tokens[0].alternatives == {"2": -0.1, "3": -2.5}


async def test_the_cost_is_known_where_litellm_knows_the_price(server: ModelServer) -> None:
    server.says('{"total": 2}')

    priced = await ask(model(server, model="openai/gpt-4o-mini"))
    unpriced = await ask(model(server))

    assert priced.usage.cost is not None
    assert priced.usage.cost > 0
    assert unpriced.usage.cost is None


async def test_no_more_requests_are_under_way_than_the_settings_allow(server: ModelServer) -> None:
    server.says(Reply('{"total": 2}', seconds=0.05))
    asked = model(server, concurrency=2)

    async with anyio.create_task_group() as group:
        for _ in range(6):
            group.start_soon(ask, asked)

    assert len(server.requests) == 6
    assert server.most_at_once == 2


async def test_a_failure_prints_nothing(
    server: ModelServer, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    server.says(Reply("prose"))

    with pytest.raises(LabelError):
        await ask(model(server, attempts=1))

    assert capfd.readouterr() == ("", "")
    assert logging.getLogger("instructor").handlers


def test_a_model_must_be_named() -> None:
    with pytest.raises(SettingsError, match="HENCEFORTH_MODEL"):
        LiteLLMModel(Settings())


def test_one_model_serves_one_event_loop_after_another(server: ModelServer) -> None:
    server.says('{"total": 2}')
    asked = model(server)

    answers = [anyio.run(ask, asked), anyio.run(ask, asked)]

    assert [answer.value.total for answer in answers] == [2, 2]

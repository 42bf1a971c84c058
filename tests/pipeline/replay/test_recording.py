"""Record what a model answers and replay it: readable, scrubbed, and nothing is sent."""

import json
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from henceforth.pipeline.errors import (
    CassetteMissError,
    LabelsRejectedError,
    ModelRefusedError,
    UnplayedError,
)
from henceforth.pipeline.labelling.litellm_model import LiteLLMModel
from henceforth.pipeline.labelling.retries import no_waits
from henceforth.pipeline.labelling.wire import Wire
from henceforth.pipeline.replay.recording import conversation, recording, replaying
from henceforth.pipeline.settings import Settings
from henceforth.schemas.ids import TurnId
from henceforth.schemas.turn import Message, Role

from ..conftest import ModelServer, Reply

pytestmark = pytest.mark.anyio

NOWHERE = "http://nowhere.invalid/v1"


class Sum(Wire):
    total: int


async def ask(base: str, text: str, *, talk: str | None = None, **settings: Any) -> int:
    given = {"model": "openai/m", "api_base": base, "timeout": 5.0, **settings}
    model = LiteLLMModel(Settings.model_validate(given))
    with no_waits(), conversation(talk):
        answer = await model.ask([Message(role=Role.USER, text=text)], Sum, turn=TurnId("t"))
    return answer.value.total


def yaml_of(folder: Path, name: str) -> str:
    return (folder / f"{name}.yaml").read_text("utf-8")


async def test_what_was_recorded_is_replayed_without_a_key_against_any_endpoint(
    server: ModelServer, tmp_path: Path
) -> None:
    server.says('{"total": 2}')
    with recording(tmp_path):
        recorded = await ask(server.url, "1 + 1", talk="sums", api_key="sk-live-000111222")

    with replaying(tmp_path) as tape:
        replayed = await ask(NOWHERE, "1 + 1", talk="sums")
        tape.check_all_played()

    assert replayed == recorded == 2
    assert len(server.requests) == 1


async def test_no_key_and_no_trace_of_the_client_reaches_the_disk(
    server: ModelServer, tmp_path: Path
) -> None:
    cookie = {"set-cookie": "session=abc", "x-request-id": "r-1", "server": "x"}
    server.says(Reply('{"total": 2}', headers=cookie))

    with recording(tmp_path):
        await ask(server.url, "1 + 1", talk="sums", api_key="sk-live-000111222")

    text = yaml_of(tmp_path, "sums").casefold()
    for trace in (
        "sk-live",
        "authorization",
        "cookie",
        "stainless",
        "user-agent",
        "127.0.0.1",
        "r-1",
    ):
        assert trace not in text


async def test_what_is_not_for_a_model_is_not_recorded(server: ModelServer, tmp_path: Path) -> None:
    server.says(Reply(body=b'{"access_token": "ya29.secret"}'), '{"total": 2}')

    with recording(tmp_path), conversation("sums"):
        async with httpx.AsyncClient() as client:
            token = await client.post(f"{server.url}/token", json={"grant_type": "jwt"})
        await ask(server.url, "1 + 1", talk="sums")

    assert token.json() == {"access_token": "ya29.secret"}
    assert "ya29" not in yaml_of(tmp_path, "sums")


async def test_while_replaying_nothing_at_all_is_sent(server: ModelServer, tmp_path: Path) -> None:
    async with httpx.AsyncClient() as client:
        with replaying(tmp_path), pytest.raises(Exception, match=r"not find|missing|cassette"):
            await client.post(f"{server.url}/token", json={"grant_type": "jwt"})

    assert server.requests == []


async def test_a_key_that_a_failure_repeats_is_not_recorded(
    server: ModelServer, tmp_path: Path
) -> None:
    server.says(Reply(status=401, body=b'{"error": {"message": "bad key sk-live-000111222"}}'))

    with pytest.raises(ModelRefusedError), recording(tmp_path):
        await ask(server.url, "1 + 1", talk="sums", api_key="sk-live-000111222")

    assert "000111222" not in yaml_of(tmp_path, "sums")


async def test_a_recording_is_readable_as_a_conversation(
    server: ModelServer, tmp_path: Path
) -> None:
    server.says('{"total": 2}')

    with recording(tmp_path):
        await ask(server.url, "What is\n1 + 1? 🙂 答案", talk="sums")

    text = yaml_of(tmp_path, "sums")
    assert "content: |-\n            What is\n            1 + 1? 🙂 答案\n" in text
    assert "path" not in text
    assert "\\u" not in text


async def test_a_long_text_that_comes_up_again_is_written_once(
    server: ModelServer, tmp_path: Path
) -> None:
    server.says('{"total": 2}')
    long = "Add up, please. " * 40

    with recording(tmp_path):
        await ask(server.url, long, talk="sums")
        await ask(server.url, long, talk="sums", max_tokens=99)

    assert yaml_of(tmp_path, "sums").count("Add up, please. ") < 80
    with replaying(tmp_path):
        assert await ask(NOWHERE, long, talk="sums", max_tokens=99) == 2


async def test_each_conversation_has_its_own_file_whatever_its_name(
    server: ModelServer, tmp_path: Path
) -> None:
    server.says('{"total": 2}')
    names = ["sums", "Sums", "a/b", "a b", "../up", "про суммы", "con", "", "x" * 300]

    with recording(tmp_path):
        for name in names:
            await ask(server.url, f"1 + 1 {name}", talk=name)

    files = [file.name for file in tmp_path.iterdir()]
    assert len({file.casefold() for file in files}) == len(names)
    assert {"sums.yaml", "turns.yaml"} < set(files)
    assert not list(tmp_path.parent.glob("*.yaml"))


async def test_conversations_at_the_same_time_do_not_mix(
    server: ModelServer, tmp_path: Path
) -> None:
    server.says(Reply('{"total": 2}', seconds=0.02))
    names = [f"talk-{n}" for n in range(5)]

    async def talk(name: str) -> None:
        for n in range(2):
            await ask(server.url, f"{name} says {n}", talk=name)

    with recording(tmp_path):
        async with anyio.create_task_group() as group:
            for name in names:
                group.start_soon(talk, name)

    for name in names:
        text = yaml_of(tmp_path, name)
        assert text.count("says") == 2
        assert text.count(f"{name} says") == 2


async def test_a_request_without_a_recording_says_what_differs_and_sends_nothing(
    server: ModelServer, tmp_path: Path
) -> None:
    server.says('{"total": 2}')
    with recording(tmp_path):
        await ask(server.url, "1 + 1", talk="sums")

    with replaying(tmp_path), pytest.raises(CassetteMissError) as caught:
        await ask(server.url, "1 + 2", talk="sums")

    assert "body.messages[0].content differs" in caught.value.difference
    assert "'1 + 1' recorded, '1 + 2' now" in caught.value.difference
    assert caught.value.cassette == "sums.yaml"
    assert len(server.requests) == 1


MISSES: dict[str, tuple[dict[str, Any], str]] = {
    "another model": ({"model": "openai/other"}, "body.model differs: 'm' recorded, 'other' now"),
    "another limit": ({"max_tokens": 77}, "body.max_tokens differs: 1024 recorded, 77 now"),
    "another path": ({"api_base": "http://x.invalid/v2"}, "path differs"),
}


@pytest.mark.parametrize(("settings", "said"), MISSES.values(), ids=MISSES)
async def test_the_part_that_differs_is_named(
    server: ModelServer, tmp_path: Path, settings: dict[str, Any], said: str
) -> None:
    server.says('{"total": 2}')
    with recording(tmp_path):
        await ask(server.url, "1 + 1", talk="sums")

    with replaying(tmp_path), pytest.raises(CassetteMissError) as caught:
        await ask(settings.pop("api_base", NOWHERE), "1 + 1", talk="sums", **settings)

    assert said in caught.value.difference


async def test_a_conversation_that_was_never_recorded_is_named(tmp_path: Path) -> None:
    with replaying(tmp_path), pytest.raises(CassetteMissError, match="missing or holds nothing"):
        await ask(NOWHERE, "1 + 1", talk="unheard")


async def test_a_miss_is_not_tried_again_and_not_taken_for_an_outage(tmp_path: Path) -> None:
    with replaying(tmp_path), pytest.raises(CassetteMissError):
        await ask(NOWHERE, "1 + 1", attempts=5)


async def test_the_same_request_twice_is_recorded_twice_and_played_in_order(
    server: ModelServer, tmp_path: Path
) -> None:
    server.says('{"total": 2}', '{"total": 3}')
    with recording(tmp_path):
        await ask(server.url, "1 + 1", talk="sums")
        await ask(server.url, "1 + 1", talk="sums")

    with replaying(tmp_path):
        totals = [await ask(NOWHERE, "1 + 1", talk="sums") for _ in range(2)]
        with pytest.raises(CassetteMissError, match="recorded 2 times and asked for once more"):
            await ask(NOWHERE, "1 + 1", talk="sums")

    assert totals == [2, 3]


async def test_what_the_run_did_not_ask_for_is_reported(
    server: ModelServer, tmp_path: Path
) -> None:
    server.says('{"total": 2}')
    with recording(tmp_path):
        await ask(server.url, "1 + 1", talk="sums")
        await ask(server.url, "2 + 2", talk="sums")

    with replaying(tmp_path) as tape:
        await ask(NOWHERE, "1 + 1", talk="sums")
        with pytest.raises(UnplayedError, match=r"1 in 'sums\.yaml'"):
            tape.check_all_played()

    assert tape.unplayed() == {"sums.yaml": 1}


async def test_recording_again_replaces_what_is_asked_again_and_keeps_the_rest(
    server: ModelServer, tmp_path: Path
) -> None:
    server.says('{"total": 2}')
    with recording(tmp_path):
        await ask(server.url, "1 + 1", talk="sums")
        await ask(server.url, "2 + 2", talk="sums")

    server.says('{"total": 22}')
    with recording(tmp_path):
        await ask(server.url, "1 + 1", talk="sums")

    with replaying(tmp_path) as tape:
        totals = [await ask(NOWHERE, text, talk="sums") for text in ("1 + 1", "2 + 2")]
        tape.check_all_played()
    assert totals == [22, 2]


async def test_failures_and_asking_anew_are_recorded_as_they_were(
    server: ModelServer, tmp_path: Path
) -> None:
    limit = Reply(status=429, body=b"{}", headers={"retry-after": "0"})
    server.says(limit, "prose", '{"total": 2}')
    with recording(tmp_path):
        await ask(server.url, "1 + 1", talk="sums")

    with replaying(tmp_path) as tape:
        total = await ask(NOWHERE, "1 + 1", talk="sums")
        tape.check_all_played()

    assert total == 2
    assert len(server.requests) == 3


async def test_what_was_recorded_before_a_failure_is_kept(
    server: ModelServer, tmp_path: Path
) -> None:
    server.says("prose")

    with pytest.raises(LabelsRejectedError), recording(tmp_path):
        await ask(server.url, "1 + 1", talk="sums", attempts=1)

    assert "prose" in yaml_of(tmp_path, "sums")


async def test_an_answer_that_is_no_json_or_no_utf8_is_kept_as_it_is(
    server: ModelServer, tmp_path: Path
) -> None:
    odd = json.dumps({"choices": [], "x": "\ud83d"}).encode()
    server.says(Reply(body=odd), Reply(body=b"<html>"), '{"total": 2}')
    with recording(tmp_path):
        await ask(server.url, "1 + 1", talk="sums", attempts=5)

    with replaying(tmp_path) as tape:
        total = await ask(NOWHERE, "1 + 1", talk="sums", attempts=5)
        tape.check_all_played()

    assert total == 2


async def test_after_the_recording_the_network_is_as_it_was(
    server: ModelServer, tmp_path: Path
) -> None:
    server.says('{"total": 2}')
    with replaying(tmp_path), pytest.raises(CassetteMissError):
        await ask(server.url, "1 + 1")

    assert await ask(server.url, "1 + 1", api_key="k") == 2

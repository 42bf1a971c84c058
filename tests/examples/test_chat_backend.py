"""The example of a chat backend does what its page says, over HTTP."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from chat_backend import app
from labelling import ENGLISH, ByHeart
from starlette.testclient import TestClient

from henceforth.pipeline.chat.chat import ChatMode
from henceforth.pipeline.chat.form import ChatMessage, text_of
from henceforth.pipeline.hosting import Host
from henceforth.pipeline.settings import Settings
from henceforth.pipeline.stores.sql import SqlStore


async def echo(messages: list[ChatMessage]) -> str:
    """A model that answers with the system message it was given."""
    return "".join(text_of(each) for each in messages if each["role"] == "system")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    store = SqlStore(tmp_path / "rules.db")
    yield Host(store, settings=Settings(), labeller=ByHeart())
    store.close()


def say(client: TestClient, user: str, *texts: str) -> str:
    talk: list[ChatMessage] = []
    for text in texts:
        talk += [{"role": "user", "content": text}, {"role": "assistant", "content": "OK."}]
    body = {"conversation": f"{user}-1", "messages": talk[:-1]}
    return client.post("/chat", json=body, headers={"x-user": user}).json()["content"]


def test_this_reply_obeys_and_no_other_users_does(host: Host) -> None:
    with TestClient(app(host, echo)) as client:
        ann = say(client, "ann", ENGLISH)
        bob = say(client, "bob", "Hello")

    assert ENGLISH in ann
    assert bob == ""


def test_in_the_background_what_is_under_way_is_kept_before_the_backend_ends(host: Host) -> None:
    with TestClient(app(host, echo, mode=ChatMode.BACKGROUND)) as client:
        say(client, "ann", ENGLISH)
    with TestClient(app(host, echo)) as client:
        later = say(client, "ann", ENGLISH, "Hello")

    assert ENGLISH in later

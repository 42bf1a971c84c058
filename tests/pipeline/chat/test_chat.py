"""In front of a chat: each turn counts once, replies obey, and a slow model holds nobody up."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import anyio
import pytest
from labelling import CHINESE, CONCISE, ENGLISH, ByHeart

from henceforth.pipeline.chat.chat import Chat, ChatMode
from henceforth.pipeline.chat.form import ChatMessage
from henceforth.pipeline.core.render import Form
from henceforth.pipeline.errors import NoConversationError, ShiftedHistoryError, StoreError
from henceforth.pipeline.hosting import Host
from henceforth.pipeline.settings import Settings
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.context import Context
from henceforth.schemas.outcome import Status

HERE = Context(conversation="c1")
LONG = 60.0
"""Seconds that no test waits for: what must not be waited for takes at least so long."""


def said(text: str) -> ChatMessage:
    return {"role": "user", "content": text}


OK: ChatMessage = {"role": "assistant", "content": "OK."}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    store = SqlStore(tmp_path / "rules.db")
    yield store
    store.close()


@pytest.fixture
def labeller() -> ByHeart:
    return ByHeart()


@pytest.fixture
def host(store: SqlStore, labeller: ByHeart) -> Host:
    return Host(store, settings=Settings(), labeller=labeller)


def system(messages: list[ChatMessage]) -> str:
    return str(messages[0]["content"]) if messages[0]["role"] == "system" else ""


def test_a_reply_obeys_the_turn_it_answers(host: Host) -> None:
    prepared = anyio.run(Chat(host).prepare, [said(ENGLISH)], "ann", HERE)

    assert ENGLISH in system(prepared)
    assert prepared[1:] == [said(ENGLISH)]


def test_a_turn_counts_once_however_often_it_is_sent(host: Host, labeller: ByHeart) -> None:
    talk = [said(ENGLISH), OK, said("Write a poem."), OK, said(CONCISE)]

    async def run() -> list[ChatMessage]:
        chat, prepared = Chat(host), list[ChatMessage]()
        for end in (1, 3, 5, 5):
            prepared = await chat.prepare(talk[:end], "ann", HERE)
        return prepared

    prepared = anyio.run(run)

    assert labeller.texts == [ENGLISH, "Write a poem.", CONCISE]
    assert [CONCISE in system(prepared), ENGLISH in system(prepared)] == [True, True]


def test_a_conversation_met_in_the_middle_is_read_from_its_beginning(
    host: Host, labeller: ByHeart
) -> None:
    prepared = anyio.run(
        Chat(host).prepare, [said(CHINESE), OK, said(ENGLISH), OK, said("Hello")], "ann", HERE
    )

    assert labeller.texts == [CHINESE, ENGLISH, "Hello"]
    assert [ENGLISH in system(prepared), CHINESE in system(prepared)] == [True, False]


def test_an_edited_last_message_replaces_what_it_said(host: Host) -> None:
    async def run() -> list[ChatMessage]:
        await Chat(host).prepare([said("Hi"), OK, said(CHINESE)], "ann", HERE)
        return await Chat(host).prepare([said("Hi"), OK, said(CONCISE)], "ann", HERE)

    prepared = anyio.run(run)

    assert [CONCISE in system(prepared), CHINESE in system(prepared)] == [True, False]


def test_a_history_cut_in_front_is_refused_not_taken_for_edits(host: Host, store: SqlStore) -> None:
    talk = [said(CHINESE), OK, said("Hello"), OK, said(CONCISE)]

    async def run() -> None:
        await Chat(host).prepare(talk, "ann", HERE)
        await Chat(host).prepare([*talk[2:], OK, said(ENGLISH)], "ann", HERE)

    with pytest.raises(ShiftedHistoryError):
        anyio.run(run)

    assert len(store.ledger(host.session("ann").subject)) == 3


def test_a_history_cut_in_front_is_read_when_the_host_says_so(
    host: Host, labeller: ByHeart
) -> None:
    talk = [said(CHINESE), OK, said("Hello"), OK, said(CONCISE)]

    async def run() -> None:
        await Chat(host).prepare(talk, "ann", HERE)
        await Chat(host).prepare([*talk[2:], OK, said(ENGLISH)], "ann", HERE, dropped=2)

    anyio.run(run)

    assert labeller.texts == [CHINESE, "Hello", CONCISE, ENGLISH]


def test_messages_of_no_conversation_are_refused(host: Host) -> None:
    with pytest.raises(NoConversationError):
        anyio.run(Chat(host).prepare, [said(ENGLISH)], "ann", Context())


@pytest.mark.parametrize(
    ("speaker", "tenant"),
    [
        pytest.param("bob", None, id="another speaker"),
        pytest.param("ann", "other", id="the same name of another tenant"),
    ],
)
def test_rules_of_one_never_reach_another(host: Host, speaker: str, tenant: str | None) -> None:
    async def run() -> list[ChatMessage]:
        await Chat(host).prepare([said(ENGLISH)], "ann", HERE)
        return await Chat(host).prepare([said("Hello")], speaker, HERE, tenant=tenant)

    assert anyio.run(run) == [said("Hello")]


def test_past_the_deadline_the_chat_goes_on_and_the_turn_is_pending(
    host: Host, labeller: ByHeart, store: SqlStore
) -> None:
    labeller.delay = LONG

    prepared = anyio.run(Chat(host, deadline=0.05).prepare, [said(ENGLISH)], "ann", HERE)

    assert prepared == [said(ENGLISH)]
    assert [each.turn.text for each in store.pending()] == [ENGLISH]


def test_the_deadline_is_for_all_turns_together(
    host: Host, labeller: ByHeart, store: SqlStore
) -> None:
    labeller.delay = LONG
    talk = [said(CHINESE), OK, said(CONCISE), OK, said(ENGLISH)]

    outcomes = anyio.run(Chat(host, deadline=0.05).observe, talk, "ann", HERE)

    assert [each.status for each in outcomes] == [Status.PENDING] * 3
    assert len(store.pending()) == 3


def test_a_model_that_is_down_leaves_the_rules_as_they_are(
    host: Host, labeller: ByHeart, store: SqlStore
) -> None:
    async def run() -> list[ChatMessage]:
        await Chat(host).prepare([said(ENGLISH)], "ann", HERE)
        labeller.broken = True
        return await Chat(host).prepare([said(ENGLISH), OK, said(CONCISE)], "ann", HERE)

    prepared = anyio.run(run)

    assert [ENGLISH in system(prepared), CONCISE in system(prepared)] == [True, False]
    assert [each.turn.text for each in store.pending()] == [CONCISE]


def test_a_turn_that_is_pending_is_not_put_to_the_model_with_every_reply(
    host: Host, labeller: ByHeart, store: SqlStore
) -> None:
    async def run() -> None:
        labeller.broken = True
        await Chat(host).prepare([said(ENGLISH)], "ann", HERE)
        await Chat(host).prepare([said(ENGLISH), OK, said(CONCISE)], "ann", HERE)

    anyio.run(run)

    assert labeller.texts == [ENGLISH, CONCISE]
    assert [each.tries for each in store.pending()] == [1, 1]


def test_in_the_background_the_next_reply_obeys(host: Host, labeller: ByHeart) -> None:
    async def run() -> tuple[list[ChatMessage], list[ChatMessage]]:
        chat = Chat(host, mode=ChatMode.BACKGROUND)
        first = await chat.prepare([said(ENGLISH)], "ann", HERE)
        await chat.aclose(grace=LONG)
        second = await chat.prepare([said(ENGLISH), OK, said("Hello")], "ann", HERE)
        await chat.aclose(grace=LONG)
        return first, second

    first, second = anyio.run(run)

    assert ENGLISH not in system(first)
    assert ENGLISH in system(second)


def test_a_process_that_ends_in_the_background_leaves_the_turn_pending(
    host: Host, labeller: ByHeart, store: SqlStore
) -> None:
    labeller.delay = LONG

    async def run() -> None:
        chat = Chat(host, mode=ChatMode.BACKGROUND)
        await chat.prepare([said(ENGLISH)], "ann", HERE)
        await chat.aclose(grace=0)

    anyio.run(run)

    assert [each.turn.text for each in store.pending()] == [ENGLISH]


def test_a_store_that_is_gone_is_said(host: Host, store: SqlStore, tmp_path: Path) -> None:
    store.close()
    for each in tmp_path.iterdir():
        each.unlink()
    tmp_path.rmdir()

    with pytest.raises(StoreError):
        anyio.run(Chat(host).prepare, [said(ENGLISH)], "ann", HERE)


@pytest.mark.parametrize("form", list(Form))
def test_the_block_is_found_again_in_every_form(host: Host, form: Form) -> None:
    async def run() -> tuple[list[ChatMessage], list[ChatMessage]]:
        prepare = partial(Chat(host, form=form).prepare, subject="ann", context=HERE)
        once = await prepare([said(ENGLISH)])
        return once, await prepare(once)

    once, again = anyio.run(run)

    assert ENGLISH in system(once)
    assert again == once

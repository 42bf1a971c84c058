"""Turns labelled by a real model, replayed with the network blocked.

The recording is of a small local model and is what it said, right or wrong. To make it again:
HENCEFORTH_RECORD=http://127.0.0.1:8091/v1 pytest tests/pipeline/test_label_replayed.py
"""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pytest_socket import enable_socket, socket_allow_hosts

from henceforth.pipeline.labelling.labeller import ModelLabeller
from henceforth.pipeline.replay.recording import recording
from henceforth.pipeline.settings import Settings
from henceforth.schemas.context import Context
from henceforth.schemas.labels import NoneReason
from henceforth.schemas.turn import Turn

pytestmark = pytest.mark.anyio

CASSETTES = Path(__file__).parents[3] / "fixtures" / "cassettes" / "tests"
SERVER = os.environ.get("HENCEFORTH_RECORD")
TURNS = ("Answer me in French from now on, and keep it short.", "Thanks, that works!")


@pytest.fixture
def no_network() -> Iterator[None]:
    """Nothing can be reached; connecting is what is blocked, as an event loop needs its sockets."""
    if SERVER is None:
        socket_allow_hosts(["192.0.2.1"])
    yield
    enable_socket()
    socket_allow_hosts(None)


def turn(index: int) -> Turn:
    context = Context(conversation="two-turns")
    return Turn(
        text=TURNS[index], said_at=datetime(2026, 5, 4, tzinfo=UTC), index=index, context=context
    )


@pytest.mark.usefixtures("no_network")
async def test_a_recorded_conversation_gives_the_same_labels_without_a_model() -> None:
    settings = Settings(
        model="openai/qwen2.5-coder-1.5b-instruct",
        api_base=SERVER or "http://model.invalid/v1",
        prompt="1",
        screen="off",
        timeout=300,
        total_time=600,
    )
    labeller = ModelLabeller(settings)

    with recording(CASSETTES, mode="record" if SERVER else "replay") as tape:
        first = await labeller.label(turn(0))
        second = await labeller.label(turn(1))
        tape.check_all_played()

    assert [each.dimension for each in first.labels.labels] == ["language", "length"]
    assert first.labels.labels[0].quote[0] == "Answer me in French from now on"
    assert second.labels.none_reason is NoneReason.TASK_REQUEST
    assert first.usage.tokens_in > 1000

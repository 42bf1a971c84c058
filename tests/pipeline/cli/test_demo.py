"""`demo`: six turns, their rules, and what fresh processes are told; live, recorded, replayed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_socket import disable_socket, enable_socket

from henceforth.pipeline.cli import main
from henceforth.pipeline.cli.demo.command import RECORDINGS
from henceforth.pipeline.cli.demo.playing import Played
from henceforth.pipeline.cli.demo.sequence import Wanted, is_exactly, read_sequence
from henceforth.pipeline.cli.demo.telling import is_as_expected, played_view
from henceforth.pipeline.cli.output import show
from henceforth.pipeline.labelling.retries import no_waits
from henceforth.schemas.context import Context
from henceforth.schemas.in_force import InForce
from henceforth.schemas.outcome import Outcome, Status
from henceforth.schemas.rule import Rule

from ..conftest import ModelServer, Reply


def part(quote: str, intent: str, dimension: str, value: str, **more: Any) -> dict[str, Any]:
    said = {"quote": [quote], "intent": intent, "dimension": dimension, "value": value}
    return {**said, "rule": f"{quote}.", **more}


PARTS = (
    [
        part("Use Chinese by default", "durable", "language", "zh"),
        part("keep answers concise", "durable", "length", "concise"),
    ],
    [
        part(
            "Explain reasoning and tradeoffs",
            "durable",
            "detail",
            "reasoning and tradeoffs",
            when="in technical proposals",
            tags=["task:technical-proposal"],
        )
    ],
    [part("Write this customer email in English", "this_task", "language", "en")],
    [part("Use English for all future replies", "durable", "language", "en", revises="change")],
    [part("Forget my preference about answer length", "forget", "length", "")],
    [
        part(
            "Use this test command",
            "durable",
            "tooling",
            "pnpm --filter web test",
            target="test-command",
            where=["workspace", "repository"],
        )
    ],
)


@pytest.fixture
def recorded(
    home: Path, server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> Iterator[tuple[int, str]]:
    """A live run that was recorded in `tapes`, after which the model is gone."""
    server.says(*({"parts": parts} for parts in PARTS))
    given = ["--model", "openai/m", "--api-base", server.url, "--config", "settings.toml"]
    Path("settings.toml").write_text('api_key = "local-key"\ntemperature = 1.5\n')
    with no_waits():
        code = main(["demo", "--record", "tapes", "--json", *given])
        server.says(Reply(status=500, body=b"{}"))
        yield code, capsys.readouterr().out


def test_a_recorded_demo_is_replayed_without_the_model_and_without_settings(
    recorded: tuple[int, str], server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    code, live = recorded

    replayed = main(["demo", "--replay", "tapes", "--json"])

    assert (code, replayed) == (0, 0), live
    assert len(server.requests) == len(PARTS)
    found, before = json.loads(capsys.readouterr().out), json.loads(live)
    assert found["as_expected"]
    assert [each["in_force"]["winners"] for each in found["turns"]][-1] != []
    texts = [[rule["value"] for rule in each["in_force"]["winners"]] for each in found["turns"]]
    assert texts == [
        [rule["value"] for rule in each["in_force"]["winners"]] for each in before["turns"]
    ]
    assert sum(len(each["probes"]) for each in found["turns"]) == 8


def test_a_folder_without_recordings_says_how_to_make_some(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "empty").mkdir()

    code = main(["demo", "--replay", "empty"])

    assert code == 2
    assert "`henceforth demo --record DIR --model NAME`" in capsys.readouterr().err


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="the recordings are not made yet")
def test_the_recordings_that_ship_give_exactly_what_must_hold(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    disable_socket(allow_unix_socket=True)
    try:
        code = main(["demo"])
    finally:
        enable_socket()

    told = capsys.readouterr().out
    assert code == 0, told
    assert "✗" not in told


def rule(dimension: str, value: str, *, when: str | None = None) -> Rule:
    condition = {"words": when} if when else None
    return Rule.model_validate(
        {
            "id": "r1",
            "kind": "preference",
            "dimension": dimension,
            "target": "replies",
            "value": value,
            "polarity": "do",
            "statement": "",
            "scope": {},
            "condition": condition,
            "evidence": [],
            "recorded_at": "2026-03-01T09:00:00Z",
        }
    )


ZH, LONG = Wanted(slot="language/replies", value="zh"), Wanted(slot="detail/replies", when="mail")

HELD: dict[str, tuple[list[Rule], bool]] = {
    "exactly these": ([rule("language", "zh"), rule("detail", "any", when="In mails")], True),
    "one is missing": ([rule("language", "zh")], False),
    "one is twice": ([rule("language", "zh")] * 2 + [rule("detail", "x", when="mail")], False),
    "one too many": (
        [rule("language", "zh"), rule("detail", "x", when="mail"), rule("tone", "kind")],
        False,
    ),
    "another value": ([rule("language", "en"), rule("detail", "x", when="mail")], False),
    "the condition is lost": ([rule("language", "zh"), rule("detail", "x")], False),
    "a condition too many": (
        [rule("language", "zh", when="mail"), rule("detail", "x", when="mail")],
        False,
    ),
}


@pytest.mark.parametrize(("rules", "fits"), HELD.values(), ids=HELD)
def test_only_exactly_the_rules_wanted_will_do(rules: list[Rule], fits: bool) -> None:
    assert is_exactly(rules, [ZH, LONG]) is fits


def test_rules_that_are_not_wanted_are_shown_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    """The exception that became the default."""
    step = read_sequence()[2]
    context = Context(conversation="p")
    found = InForce(context=context, as_of=step.said_at, winners=(rule("language", "en"),))
    outcome = Outcome(turn=step.turn.id, status=Status.LABELLED)
    played = Played(step, outcome, found, ())

    show(*played_view(3, played))

    assert not is_as_expected(played)
    assert "✗ expected: language/replies = zh; length/replies" in capsys.readouterr().out


def test_the_demo_is_the_document_sequence_and_the_workspace_command() -> None:
    steps = read_sequence()

    assert [step.text.split()[0] for step in steps] == [
        "Use",
        "Explain",
        "Write",
        "Use",
        "Forget",
        "Use",
    ]
    assert len({step.context.conversation for step in steps}) == len(steps)

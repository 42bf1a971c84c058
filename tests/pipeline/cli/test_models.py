"""Commands that call a model, over real HTTP: asked, recorded, replayed, or not answering."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from henceforth.pipeline.cli import main
from henceforth.pipeline.labelling.retries import no_waits

from ..conftest import ModelServer, Reply
from .conftest import Ran

TEXT = "Use Chinese by default."

PART = {
    "quote": ["Use Chinese by default"],
    "intent": "durable",
    "dimension": "language",
    "value": "zh",
    "rule": "Reply in Chinese.",
}

Asked = Callable[..., Ran]


@pytest.fixture(autouse=True)
def _no_waits() -> Iterator[None]:
    with no_waits():
        yield


@pytest.fixture
def asked(
    home: Path,
    server: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Asked:
    """Run a command with the model of the settings, which is the server."""
    monkeypatch.setenv("HENCEFORTH_MODEL", "openai/m")
    monkeypatch.setenv("HENCEFORTH_API_BASE", server.url)
    monkeypatch.setenv("HENCEFORTH_API_KEY", "local-key")
    server.says({"parts": [PART]})

    def run(*argv: str) -> Ran:
        capsys.readouterr()
        code = main(argv)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


def observe(asked: Asked, *argv: str) -> Ran:
    said = ("--said-at", "2026-03-01T09:00+00:00", "--conversation", "c1")
    return asked("observe", TEXT, *said, *argv)


def test_the_model_of_the_settings_is_asked(asked: Asked, server: ModelServer) -> None:
    ran = observe(asked)

    assert ran.code == 0, ran.err
    assert "language/replies = zh" in ran.out
    assert "7 tokens in, 3 out" in ran.out
    assert server.requests[0]["model"] == "m"


def test_an_option_comes_before_a_variable(asked: Asked, server: ModelServer) -> None:
    observe(asked, "--model", "openai/other")

    assert server.requests[0]["model"] == "other"


FAULTS: dict[str, Reply] = {
    "prose": Reply("I would rather not."),
    "half an object": Reply('{"parts": ['),
    "a list": Reply("[1]"),
    "an empty body": Reply(body=b""),
    "429": Reply(status=429, body=b"{}"),
    "500": Reply(status=500, body=b"{}"),
    "nothing": Reply(hangs_up=True),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_turn_waits_whatever_the_model_does(
    fault: Reply, asked: Asked, server: ModelServer
) -> None:
    server.says(fault)

    ran = observe(asked)

    assert ran.code == 1
    assert "pending" in ran.out
    assert ran.err == ""
    assert asked("pending", "--json").json["pending"][0]["turn"]["text"] == TEXT

    server.says({"parts": [PART]})
    assert asked("pending", "--retry").code == 0
    assert "language/replies = zh" in asked("rules").out


def test_without_a_model_the_setting_that_is_missing_is_named(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HENCEFORTH_MODEL")

    for command in (["observe", TEXT], ["label", TEXT]):
        ran = asked(*command)
        assert (ran.code, ran.out) == (2, "")
        assert "HENCEFORTH_MODEL" in ran.err


@pytest.mark.parametrize("command", ["observe", "label", "apply"])
def test_what_was_recorded_is_replayed_without_the_model(
    command: str, asked: Asked, server: ModelServer
) -> None:
    Path("t.jsonl").write_text(f'{{"text": "{TEXT}", "said_at": "2026-03-01T09:00Z"}}')
    said = [TEXT, "--conversation", "c1", "--said-at", "2026-03-01T09:00Z"]
    run = [command, *(["t.jsonl"] if command == "apply" else said)]
    live = asked(*run, "--record", "tapes")
    server.says(Reply(status=500, body=b"{}"))
    count = len(server.requests)
    Path("henceforth.db").unlink(missing_ok=True)

    replayed = asked(*run, "--replay", "tapes")

    assert live.code == replayed.code == 0
    assert "language/replies = zh" in replayed.out
    assert len(server.requests) == count
    assert "local-key" not in "".join(path.read_text() for path in Path("tapes").iterdir())


def test_a_request_that_was_never_recorded_is_explained(asked: Asked) -> None:
    observe(asked, "--record", "tapes")

    ran = observe(asked, "--replay", "tapes", "--model", "openai/other", "--db", "x.db")

    assert (ran.code, ran.out) == (2, "")
    assert "no recording for this request" in ran.err
    assert "model" in ran.err
    assert asked("pending", "--db", "x.db").out == "No turn waits.\n"


WRONG: dict[str, list[str]] = {
    "both": ["--record", "a", "--replay", "b"],
    "no such folder": ["--replay", "nix"],
    "a prompt that is not there": ["--prompt", "999"],
    "no version": ["--prompt", "latest"],
    "no address": ["--api-base", "localhost:8080"],
}


@pytest.mark.parametrize("argv", WRONG.values(), ids=WRONG)
def test_what_makes_no_sense_is_a_usage_error(argv: list[str], asked: Asked) -> None:
    ran = observe(asked, *argv)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("henceforth: ")


def test_pending_turns_are_retried_from_recordings_too(asked: Asked, server: ModelServer) -> None:
    server.says(Reply(status=500, body=b"{}"))
    observe(asked)
    server.says({"parts": [PART]})
    observe(asked, "--db", "other.db", "--record", "tapes")
    server.says(Reply(status=500, body=b"{}"))

    ran = asked("pending", "--retry", "--replay", "tapes")

    assert ran.code == 0, ran.out
    assert "language/replies = zh" in asked("rules").out

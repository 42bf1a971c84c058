"""A run against a model is recorded, and replays without it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from henceforth.evals.behaviour.chat_server import ChatServer, Reply
from henceforth.evals.data.cases import Case
from henceforth.pipeline.cli import main

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")

ANSWER = json.dumps({"parts": [{"quote": "Kotlin", "intent": "none", "why": "question"}]})


@pytest.fixture
def one_case(cases: Mapping[str, Case], tmp_path: Path) -> Path:
    path = tmp_path / "case.jsonl"
    path.write_text(cases["r048"].model_dump_json(exclude_none=True), "utf-8")
    return path


@pytest.fixture(autouse=True)
def plain_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HENCEFORTH_API_KEY", "no-secret")
    monkeypatch.delenv("HENCEFORTH_MODEL", raising=False)


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code = main(["eval", *arguments, "--no-behaviour", "--json"])

    told = capsys.readouterr()
    assert code == 0, told.err
    found: dict[str, Any] = json.loads(told.out)
    return found


def test_what_was_recorded_replays_without_a_model_and_scores_the_same(
    one_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "tapes"
    with ChatServer() as server:
        server.say([Reply(text=ANSWER)])
        model = ("--model", "openai/given", "--api-base", server.url)
        recorded = ran(capsys, "record", str(folder), *model, "--cases", str(one_case))
        asked = server.requests

        replayed = ran(capsys, "run", "--replay", str(folder), "--cases", str(one_case))

        assert server.requests == asked > 0
    assert replayed["labels"] == recorded["labels"]
    assert replayed["about"]["model"] == "openai/given"
    assert replayed["about"]["prompt"] == recorded["about"]["prompt"]
    assert replayed["cost"]["replayed"] is True


def test_a_turn_that_was_not_recorded_is_said_to_be_missing(
    one_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tapes").mkdir()

    arguments = ["--model", "openai/given", "--cases", str(one_case), "--no-behaviour"]
    code = main(["eval", "run", "--replay", str(tmp_path / "tapes"), *arguments])

    assert code == 2
    assert "no recording" in capsys.readouterr().err

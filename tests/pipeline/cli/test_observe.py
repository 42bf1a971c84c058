"""`observe` and `label`: one turn, from the command line, a file or stdin."""

import io
import sys
from pathlib import Path

import pytest

from henceforth.schemas.labels import Clarify
from henceforth.schemas.turn import Role

from .conftest import KNOWN, SHORT, ZH, Cli, Labels, durable


def test_a_turn_is_shown_with_its_labels_and_changes(cli: Cli, labels: Labels) -> None:
    labels.says(ZH, KNOWN[ZH])

    ran = cli("observe", ZH)

    assert ran.code == 0
    assert "language/replies = zh" in ran.out
    assert "“Use Chinese by default”" in ran.out
    assert "new" in ran.out


def test_json_is_the_outcome_with_its_schema_version(cli: Cli, labels: Labels) -> None:
    labels.says(ZH, KNOWN[ZH])

    ran = cli("observe", ZH, "--conversation", "c1", "--json")

    assert ran.json["schema_version"] == 2
    assert (ran.json["turn"], ran.json["status"]) == ("c1/0", "labelled")
    assert ran.json["changes"][0]["row"] == "new"


def test_a_second_turn_of_a_conversation_does_not_replace_the_first(
    cli: Cli, labels: Labels
) -> None:
    for text in (ZH, SHORT):
        labels.says(text, KNOWN[text])

    first = cli("observe", ZH, "--conversation", "c1", "--json")
    second = cli("observe", SHORT, "--conversation", "c1", "--json")

    assert [first.json["turn"], second.json["turn"]] == ["c1/0", "c1/1"]
    assert len(cli("rules", "--json").json["winners"]) == 2


def test_a_turn_with_its_id_counts_once(cli: Cli, labels: Labels) -> None:
    labels.says(ZH, KNOWN[ZH])
    cli("observe", ZH, "--id", "m1")

    again = cli("observe", ZH, "--id", "m1", "--json")

    assert again.json["status"] == "seen"
    assert len(labels.asked) == 1


def test_a_pending_turn_keeps_its_place_too(cli: Cli, labels: Labels) -> None:
    labels.fails_on(ZH)
    cli("observe", ZH, "--conversation", "c1")

    assert cli("observe", "hello", "--conversation", "c1", "--json").json["turn"] == "c1/1"


def test_a_turn_that_cannot_be_labelled_is_pending_and_the_exit_code_says_so(
    cli: Cli, labels: Labels
) -> None:
    labels.fails_on(ZH)

    ran = cli("observe", ZH)

    assert ran.code == 1
    assert "pending" in ran.out
    assert "nobody answers" in ran.out


def test_a_question_of_the_labeller_is_shown(cli: Cli, labels: Labels) -> None:
    label = durable("length", "concise")
    labels.says("Shorter!", clarify=Clarify(question="Always, or this time?", label=label))

    ran = cli("observe", "Shorter!")

    assert ran.code == 0
    assert "Always, or this time?" in ran.out


def test_the_context_reaches_the_labeller(cli: Cli, labels: Labels) -> None:
    cli(
        "observe", "hello", "--conversation", "c1", "--task", "t1", "--task-type", "email",
        "--project", "p", "--repository", "r", "--workspace", "w", "--cwd", "/srv", "--file",
        "a.sql", "--branch", "main", "--audience", "client", "--tag", "mood=good",
        "--replied", "How are you?", "--said-at", "2026-03-01T09:00+02:00",
    )  # fmt: skip

    turn = labels.asked[0]
    assert turn.context.model_dump() == {
        "conversation": "c1", "task": "t1", "task_type": "email", "project": "p",
        "repository": "r", "workspace": "w", "cwd": "/srv", "file": "a.sql", "branch": "main",
        "audience": "client", "tags": {"mood": "good"},
    }  # fmt: skip
    assert (turn.before[0].role, turn.before[0].text) == (Role.ASSISTANT, "How are you?")
    assert turn.said_at.isoformat() == "2026-03-01T09:00:00+02:00"


def test_a_time_without_a_zone_is_in_the_zone_of_the_settings(
    cli: Cli, labels: Labels, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HENCEFORTH_TIMEZONE", "Asia/Tokyo")

    cli("observe", "hello", "--said-at", "2026-03-01T09:00")
    cli("observe", "hello", "--said-at", "2026-03-01")

    said = [turn.said_at.isoformat() for turn in labels.asked]
    assert said == ["2026-03-01T09:00:00+09:00", "2026-03-01T00:00:00+09:00"]


@pytest.mark.parametrize("command", ["observe", "label"])
def test_the_text_may_be_in_a_file_or_piped_in(
    command: str, cli: Cli, labels: Labels, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("turn.txt").write_text("\ufeffétoile\r\n", "utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"nova\n")))

    assert cli(command, "--text-file", "turn.txt").code == 0
    assert cli(command).code == 0

    assert [turn.text for turn in labels.asked] == ["étoile", "nova"]


def test_label_shows_what_a_text_says_and_keeps_nothing(
    cli: Cli, labels: Labels, home: Path
) -> None:
    labels.says(ZH, KNOWN[ZH])

    ran = cli("label", ZH)

    assert ran.code == 0
    assert "language/replies = zh" in ran.out
    assert "by told, prompt none@1" in ran.out
    assert list(home.iterdir()) == []


def test_label_says_why_there_is_no_label(cli: Cli) -> None:
    assert "no instruction: task_request" in cli("label", "Translate this.").out


def test_label_as_json_is_what_the_schema_calls_labelled(cli: Cli, labels: Labels) -> None:
    labels.says(ZH, KNOWN[ZH])

    ran = cli("label", ZH, "--json")

    assert ran.json["labels"]["labels"][0]["dimension"] == "language"
    assert ran.json["labelled_by"]["model"] == "told"


def test_a_text_that_cannot_be_labelled_has_no_place_to_wait_in(cli: Cli, labels: Labels) -> None:
    labels.fails_on(ZH)

    ran = cli("label", ZH)

    assert (ran.code, ran.out) == (3, "")
    assert "nobody answers" in ran.err

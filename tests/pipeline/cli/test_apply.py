"""`apply`: every user turn of a transcript, each for its speaker, once."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import EN, KNOWN, SHORT, ZH, Cli, Labels


@pytest.fixture(autouse=True)
def _known(labels: Labels) -> None:
    for text, label in KNOWN.items():
        labels.says(text, label)


def write(*lines: Any, name: str = "chat.jsonl") -> str:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    Path(name).write_text("\n".join(texts), "utf-8", "surrogateescape")
    return name


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **more}


def values(cli: Cli, *argv: str) -> set[str]:
    return {rule["value"] for rule in cli("rules", "--json", *argv).json["winners"]}


def test_a_transcript_leaves_the_rules_it_says(cli: Cli) -> None:
    ran = cli("apply", write(said(ZH), {"role": "assistant", "content": "好"}, said(SHORT)))

    assert ran.code == 0, ran.err
    assert "2 turns: 2 labelled." in ran.out
    assert "new: language/replies = zh" in ran.out
    assert values(cli) == {"zh", "concise"}


def test_turns_seen_before_cost_nothing(cli: Cli, labels: Labels) -> None:
    transcript = write(said(ZH), said("hello"))
    cli("apply", transcript)
    asked = len(labels.asked)

    ran = cli("apply", transcript)

    assert len(labels.asked) == asked
    assert "2 turns: 2 seen." in ran.out


def test_a_turn_that_stands_there_twice_is_labelled_once(cli: Cli, labels: Labels) -> None:
    ran = cli("apply", write({"text": ZH, "id": "m1"}, {"text": ZH, "id": "m1"}), "--json")

    assert [each["status"] for each in ran.json["turns"]] == ["labelled", "seen"]
    assert len(labels.asked) == 1


def test_each_speaker_has_rules_of_their_own(cli: Cli) -> None:
    cli("apply", write(said(ZH, user="bo"), said(SHORT, speaker="cy"), said(EN)))

    assert values(cli, "--subject", "bo") == {"zh"}
    assert values(cli, "--subject", "cy") == {"concise"}


def test_who_speaks_is_never_guessed(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HENCEFORTH_SUBJECT")

    ran = cli("apply", write(said(ZH, user="bo"), said(EN)))

    assert ran.code == 2
    assert "whose rules?" in ran.err
    assert not Path("henceforth.db").exists()


def test_said_order_decides_whatever_the_order_in_the_file(cli: Cli) -> None:
    late = said(EN, said_at="2026-03-02T09:00Z", conversation="c2")
    early = said(ZH, said_at="2026-03-01T09:00Z", conversation="c1")

    cli("apply", write(late, early))

    assert values(cli) == {"en"}


def test_a_clock_that_goes_backwards_is_said_and_no_error(cli: Cli) -> None:
    ran = cli(
        "apply", write(said(EN, said_at="2026-03-02T09:00Z"), said(ZH, said_at="2026-03-01T09:00Z"))
    )

    assert ran.code == 0
    assert "the clock goes backwards" in ran.err
    assert values(cli) == {"en"}


def test_what_cannot_be_read_is_named_kept_and_tells_in_the_exit_code(cli: Cli) -> None:
    transcript = write(said(ZH), "{broken", {"text": "x", "context": {"repo": "y"}}, said(SHORT))

    ran = cli("apply", transcript, "--rejects", "rejects.jsonl")

    assert ran.code == 1
    assert "chat.jsonl:2: not JSON" in ran.err
    assert "chat.jsonl:3: the context has an unknown key 'repo'" in ran.err
    assert "2 turns: 2 labelled, 2 rejected." in ran.out
    assert Path("rejects.jsonl").read_text("utf-8").splitlines() == [
        "{broken",
        '{"text": "x", "context": {"repo": "y"}}',
    ]


def test_a_line_that_is_no_utf_8_is_rejected_byte_for_byte(cli: Cli) -> None:
    Path("t.jsonl").write_bytes(b'{"text": "\xff\xfe"}\n' + json.dumps(said(ZH)).encode())

    ran = cli("apply", "t.jsonl", "--rejects", "r.jsonl", "--json")

    assert ran.code == 1
    assert ran.json["rejected"][0]["line"] == 1
    assert Path("r.jsonl").read_bytes() == b'{"text": "\xff\xfe"}\n'
    assert ran.json["counts"]["labelled"] == 1


def test_a_turn_that_cannot_be_labelled_waits_and_the_rest_goes_on(
    cli: Cli, labels: Labels
) -> None:
    labels.fails_on("hello")

    ran = cli("apply", write(said("hello"), said(ZH)), "--json")

    assert ran.code == 1
    assert [each["status"] for each in ran.json["turns"]] == ["pending", "labelled"]
    assert ran.json["counts"]["pending"] == 1


def test_a_model_that_is_gone_is_not_asked_a_thousand_times(cli: Cli, labels: Labels) -> None:
    texts = [f"hello {number}" for number in range(1000)]
    labels.fails_on(*texts)

    ran = cli("apply", write(*map(said, texts)), "--concurrency", "2")

    assert ran.code == 3
    assert "5 of 1000 turns are done" in ran.err
    assert "'told' left 5 turns in a row unanswered: nobody answers" in ran.err
    assert len(cli("pending", "--json").json["pending"]) == 5
    assert len(labels.asked) < 10


def test_the_transcript_may_be_piped_in(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    content = json.dumps(said(ZH)).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    ran = cli("apply", "-", "--conversation", "c1", "--json")

    assert ran.json["turns"][0]["turn"] == "c1/0"


def test_a_transcript_without_user_turns_is_no_error(cli: Cli) -> None:
    assert cli("apply", write({"role": "system", "content": "x"})).out == "No user turns.\n"


def test_progress_is_no_part_of_the_answer(cli: Cli) -> None:
    ran = cli("apply", write(*[said(f"q {number}?") for number in range(5)]), "--json")

    assert ran.err == ""
    assert ran.json["counts"]["none"] == 5


@pytest.mark.parametrize("argv", [["nix.jsonl"], ["."]], ids=["missing", "a folder"])
def test_a_file_that_cannot_be_read_is_a_usage_error(argv: list[str], cli: Cli) -> None:
    ran = cli("apply", *argv)

    assert (ran.code, ran.out) == (2, "")
    assert "cannot be read" in ran.err

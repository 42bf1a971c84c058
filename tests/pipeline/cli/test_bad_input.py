"""What a shell, a file, a clock or a disk may do wrong: each a clear error, and nothing lost."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from henceforth.schemas.labels import NoneReason

from .conftest import KNOWN, ZH, Cli, Labels

LONG = "word " * 40_000


@pytest.mark.parametrize("command", ["observe", "label"])
@pytest.mark.parametrize("text", ["", " \n\t"], ids=["nothing", "white space"])
def test_an_empty_turn_is_refused(command: str, text: str, cli: Cli, labels: Labels) -> None:
    ran = cli(command, text)

    assert (ran.code, ran.out) == (2, "")
    assert "the turn is empty" in ran.err
    assert labels.asked == []


def test_an_empty_turn_of_a_transcript_is_a_turn_like_any_other(cli: Cli, labels: Labels) -> None:
    Path("t.jsonl").write_text('{"role": "user", "content": ""}\n{"text": "👍"}')

    ran = cli("apply", "t.jsonl", "--json")

    assert ran.code == 0
    assert [turn.text for turn in labels.asked] == ["", "👍"]


def test_a_turn_of_emoji_needs_no_model(home: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "henceforth", "observe", "👍🏽 🎉", "--model", "openai/m", "--json"],
        capture_output=True,
        cwd=home,
    )

    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["labels"]["none_reason"] == NoneReason.SMALL_TALK


def test_a_turn_of_200_000_characters_arrives_whole(cli: Cli, labels: Labels) -> None:
    Path("long.txt").write_text(LONG)

    assert cli("observe", "--text-file", "long.txt").code == 0

    assert len(labels.asked[0].text) == 200_000


@pytest.mark.parametrize("command", ["observe", "label"])
def test_a_file_that_is_no_utf_8_is_refused_with_the_byte(command: str, cli: Cli) -> None:
    Path("latin.txt").write_bytes("café".encode("latin-1"))

    ran = cli(command, "--text-file", "latin.txt")

    assert (ran.code, ran.out) == (2, "")
    assert "latin.txt is not UTF-8: byte 3 is 0xe9" in ran.err


def test_an_argument_that_is_no_utf_8_is_refused(cli: Cli) -> None:
    ran = cli("observe", os.fsdecode(b"caf\xe9"))

    assert ran.code == 2
    assert "TEXT is not UTF-8" in ran.err


def test_a_clock_set_back_between_two_turns_is_no_error(cli: Cli, labels: Labels) -> None:
    for text, label in KNOWN.items():
        labels.says(text, label)
    cli("observe", "Use English for all future replies.", "--said-at", "2026-03-02T09:00Z")
    cli("observe", ZH, "--said-at", "2026-03-01T09:00Z")

    assert [rule["value"] for rule in cli("rules", "--json").json["winners"]] == ["en"]
    assert cli("fold").code == 0


def test_a_subject_is_needed(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HENCEFORTH_SUBJECT")

    for argv in (["rules"], ["observe", ZH], ["history"], ["erase", "--yes"], ["fold"]):
        ran = cli(*argv)
        assert (ran.code, ran.out) == (2, "")
        assert "Give --subject NAME, set HENCEFORTH_SUBJECT" in ran.err


SETTINGS = {
    "no TOML": ("model = ", "henceforth.toml: expected a TOML file"),
    "an unknown key": ('modle = "x"', "modle in henceforth.toml: expected model?"),
    "a value that is none": ("preceding = -1", "preceding in henceforth.toml is -1"),
    "no text at all": (b"\xff\xfe", "henceforth.toml: expected a TOML file"),
}


@pytest.mark.parametrize(("content", "message"), SETTINGS.values(), ids=SETTINGS)
def test_a_broken_settings_file_is_named(content: str | bytes, message: str, cli: Cli) -> None:
    raw = content if isinstance(content, bytes) else content.encode()
    Path("henceforth.toml").write_bytes(raw)

    for argv in (["rules"], ["observe", ZH], ["label", ZH], ["pending"]):
        ran = cli(*argv)
        assert (ran.code, ran.out) == (2, "")
        assert message in ran.err


def test_a_settings_file_that_is_named_must_be_there(cli: Cli) -> None:
    ran = cli("rules", "--config", "nix.toml")

    assert ran.code == 2
    assert "nix.toml" in ran.err


def test_a_database_of_a_newer_schema_is_left_as_it_is(told: Cli) -> None:
    with closing(sqlite3.connect("henceforth.db")) as database, database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE name LIKE '%revision%'")
        (table,) = tables.fetchone()
        database.execute(f"UPDATE {table} SET version_num = '9999'")
    before = Path("henceforth.db").read_bytes()

    for argv in (["rules"], ["observe", ZH], ["apply", "t.jsonl"]):
        Path("t.jsonl").write_text('{"text": "x"}')
        ran = told(*argv)
        assert (ran.code, ran.out) == (3, "")
        assert "upgrade henceforth" in ran.err
    assert Path("henceforth.db").read_bytes() == before


def test_a_file_of_something_else_is_left_as_it_is(cli: Cli) -> None:
    Path("notes.db").write_text("shopping list " * 100)

    ran = cli("observe", ZH, "--db", "notes.db")

    assert (ran.code, ran.out) == (3, "")
    assert "not a database of henceforth" in ran.err
    assert Path("notes.db").read_text() == "shopping list " * 100


def test_a_folder_that_is_not_there_is_named(cli: Cli) -> None:
    ran = cli("observe", ZH, "--db", "nix/rules.db")

    assert (ran.code, ran.out) == (3, "")
    assert "its folder does not exist" in ran.err


def test_an_address_without_a_driver_is_a_usage_error(cli: Cli) -> None:
    ran = cli("rules", "--db", "nosuch://localhost/x")

    assert (ran.code, ran.out) == (2, "")
    assert "'nosuch'" in ran.err


def test_a_full_disk_leaves_what_was_there(told: Cli) -> None:
    """`ulimit -f` is a disk that has no room: the kernel refuses to let the file grow."""
    before = told("export").out
    line = 'trap "" XFSZ; ulimit -f 4; exec "$0" -m henceforth observe "👍" --model openai/m'

    run = subprocess.run(["bash", "-c", line, sys.executable], capture_output=True, text=True)

    assert (run.returncode, run.stdout) == (3, "")
    assert "Traceback" not in run.stderr
    assert "'henceforth.db' cannot be used" in run.stderr
    assert told("export").out == before


def test_a_database_that_can_only_be_read_is_read_and_not_written(told: Cli) -> None:
    only_read = "sqlite:///file:henceforth.db?mode=ro&uri=true"

    assert "language/replies = en" in told("rules", "--db", only_read).out

    for argv in (["observe", ZH], ["undo"], ["end", "--conversation", "c1"]):
        ran = told(*argv, "--db", only_read)
        assert (ran.code, ran.out) == (3, "")
        assert "it can only be read" in ran.err


REGISTRIES = {
    "missing": (None, "nix.toml"),
    "no TOML": ("[x", "registry.toml"),
    "no dimension": ('[tone]\ncardinality = "some"', "registry.toml"),
}


@pytest.mark.parametrize(("content", "named"), REGISTRIES.values(), ids=REGISTRIES)
def test_a_registry_that_cannot_be_used_is_a_setting_at_fault(
    content: str | None, named: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    if content is not None:
        Path(named).write_text(content)
    monkeypatch.setenv("HENCEFORTH_REGISTRY", named)

    ran = cli("rules")

    assert (ran.code, ran.out) == (2, "")
    assert named in ran.err

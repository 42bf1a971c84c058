"""The batch commands from the command line: files in, files out, killed and run again."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from henceforth.pipeline.batch.cache import LabelCache
from henceforth.pipeline.cli import main

from .conftest import RuleLabeller, Talks

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HENCEFORTH_MODEL", "m")


def henceforth(*arguments: object, labeller: RuleLabeller | None = None) -> int:
    return main([str(each) for each in arguments], labeller=labeller or RuleLabeller())


def many(talks: Talks, people: int = 30) -> Path:
    said = {
        f"person{n}": ["keep it short", f"answer in L{n % 7}", f"hello {n}", "forget length"]
        for n in range(people)
    }
    return talks("chats.jsonl", **said)


def test_from_transcripts_to_rules_in_three_commands(
    talks: Talks, capsys: pytest.CaptureFixture[str]
) -> None:
    talks("a.jsonl", ana=["answer in German", "keep it short"], ben=["hello", "answer in Dutch"])

    assert henceforth("batch", "label", ".", "-o", "labels.jsonl") == 0
    assert henceforth("batch", "reconcile", "labels.jsonl", "-o", "rules.db") == 0
    assert henceforth("batch", "report", "labels.jsonl", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert henceforth("rules", "--db", "rules.db", "--subject", "ana", "--json") == 0
    rules = json.loads(capsys.readouterr().out)

    assert (report["turns"], report["labels"], report["subjects"]) == (4, 3, 2)
    assert {rule["value"] for rule in rules["winners"]} == {"German", "concise"}


def test_parquet_and_json_lines_hold_the_same_rows(talks: Talks, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    transcripts = many(talks)
    for out in ("labels.jsonl", "labels.parquet"):
        assert henceforth("batch", "label", transcripts, "-o", out) == 0

    for number, labels in enumerate(("labels.jsonl", "labels.parquet")):
        assert henceforth("batch", "reconcile", labels, "-o", f"{number}.db") == 0

    assert (tmp_path / "0.db").read_bytes() == (tmp_path / "1.db").read_bytes()


@pytest.mark.parametrize("target", ["rules.db", "rules"])
def test_the_output_depends_on_the_rows_alone(talks: Talks, tmp_path: Path, target: str) -> None:
    transcripts = many(talks)
    assert henceforth("batch", "label", transcripts, "-o", "labels.jsonl") == 0
    lines = (tmp_path / "labels.jsonl").read_text("utf-8").splitlines(keepends=True)
    random.Random(3).shuffle(lines)
    (tmp_path / "x.jsonl").write_text("".join(lines[:50]), "utf-8")
    (tmp_path / "y.jsonl").write_text("".join(lines[50:] + lines[:9]), "utf-8")

    assert henceforth("batch", "reconcile", "labels.jsonl", "-o", f"1{target}") == 0
    assert henceforth("batch", "reconcile", "y.jsonl", "x.jsonl", "-o", f"2{target}") == 0
    assert (
        henceforth("batch", "reconcile", "x.jsonl", "y.jsonl", "-o", f"3{target}", "--workers", 2)
        == 0
    )

    first, second, third = (_bytes(tmp_path / f"{n}{target}") for n in (1, 2, 3))
    assert first == second == third
    assert len(first) > 0


def _bytes(path: Path) -> dict[str, bytes]:
    files = [path] if path.is_file() else sorted(path.iterdir())
    return {file.name.lstrip("123"): file.read_bytes() for file in files}


def test_what_was_forgotten_long_ago_is_not_in_the_database(talks: Talks, tmp_path: Path) -> None:
    talks("a.jsonl", ana=["keep it short", "forget length"])
    assert henceforth("batch", "label", "a.jsonl", "-o", "labels.jsonl") == 0

    henceforth("batch", "reconcile", "labels.jsonl", "-o", "early.db")
    henceforth("batch", "reconcile", "labels.jsonl", "-o", "late.db", "--as-of", "2027-01-01")

    assert b"keep it short" in (tmp_path / "early.db").read_bytes()
    assert b"keep it short" not in (tmp_path / "late.db").read_bytes()


def test_a_database_that_is_there_is_not_replaced_unasked(
    talks: Talks, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many(talks, 2)
    henceforth("batch", "label", "chats.jsonl", "-o", "labels.jsonl")
    (tmp_path / "rules.db").write_bytes(b"precious")

    assert henceforth("batch", "reconcile", "labels.jsonl", "-o", "rules.db") == 2
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "rules.db").read_bytes() == b"precious"
    assert henceforth("batch", "reconcile", "labels.jsonl", "-o", "rules.db", "--replace") == 0


def test_a_run_with_rejects_keeps_them_and_says_so(
    talks: Talks, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = talks("a.jsonl", ana=["answer in German"])
    path.write_text(path.read_text("utf-8") + "{broken\n", "utf-8")

    code = henceforth("batch", "label", path, "-o", "labels.jsonl")

    (reject,) = (tmp_path / "labels.jsonl.rejects.jsonl").read_text("utf-8").splitlines()
    assert code == 1
    assert "1 records rejected" in capsys.readouterr().err
    assert json.loads(reject)["line"] == 2
    assert json.loads(reject)["raw"] == "{broken"


def test_files_of_a_folder_that_are_no_transcripts_are_passed_by(
    talks: Talks, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talks("a.jsonl", ana=["hello"])
    (tmp_path / "user.json").write_text('{"email": "ana@example.org"}', "utf-8")

    assert henceforth("batch", "label", tmp_path, "-o", "labels.jsonl") == 0
    assert "user.json is no transcript" in capsys.readouterr().err
    assert henceforth("batch", "label", "user.json", "-o", "labels.jsonl") == 2


def test_a_dry_run_sends_and_writes_nothing(
    talks: Talks, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many(talks, 3)
    labeller = RuleLabeller()
    before = sorted(tmp_path.iterdir())

    code = henceforth(
        "batch", "label", ".", "-o", "l.jsonl", "--dry-run", "--json", labeller=labeller
    )

    made = json.loads(capsys.readouterr().out)
    assert code == 0
    assert labeller.asked == []
    assert (made["turns"], made["asked"], made["cached"]) == (12, 10, 2)
    assert made["tokens_in"] > made["prefix"] > 100
    assert sorted(tmp_path.iterdir()) == before


def test_a_spent_budget_leaves_the_part_that_is_done(talks: Talks, tmp_path: Path) -> None:
    many(talks, 5)

    code = henceforth("batch", "label", ".", "-o", "labels.jsonl", "--budget", "$0.05")

    assert code == 1
    assert not (tmp_path / "labels.jsonl").exists()
    with LabelCache(tmp_path / "henceforth-labels.db") as cache:
        assert len(cache) == 5
    assert 5 <= len(_read(tmp_path, "labels.jsonl.partial")) < 20
    assert henceforth("batch", "label", "chats.jsonl", "-o", "labels.jsonl") == 0
    assert not (tmp_path / "labels.jsonl.partial").exists()


def test_a_diff_shows_what_moved_and_which_rules_it_would_change(
    talks: Talks, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talks("a.jsonl", ana=["answer in German", "keep it short"], ben=["hello"])
    henceforth("batch", "label", "a.jsonl", "-o", "one.jsonl")
    text = (tmp_path / "one.jsonl").read_text("utf-8")
    (tmp_path / "two.jsonl").write_text(
        text.replace('"value":"German"', '"value":"Dutch"'), "utf-8"
    )
    capsys.readouterr()

    code = henceforth("batch", "diff", "one.jsonl", "two.jsonl", "--json")

    found = json.loads(capsys.readouterr().out)
    assert code == 1
    assert (found["both"], found["same"]) == (3, 2)
    assert found["moved"] == {"durable → durable": 1}
    assert {(each["only_in"], each["rule"]) for each in found["rules"]} == {
        ("a", "language/replies do German (everywhere)"),
        ("b", "language/replies do Dutch (everywhere)"),
    }
    assert henceforth("batch", "diff", "one.jsonl", "one.jsonl") == 0


def test_the_page_needs_nothing_else_and_hides_no_markup(talks: Talks, tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    path = tmp_path / "a.jsonl"
    script = "<script>alert(1)</script>"
    line = {"user": script, "messages": [{"role": "user", "content": "answer in German"}]}
    path.write_text(json.dumps(line) + "\n", "utf-8")
    henceforth("batch", "label", path, "-o", "labels.jsonl")

    assert henceforth("batch", "report", "labels.jsonl", "--html", "page.html") == 0

    page = (tmp_path / "page.html").read_text("utf-8")
    assert script not in page
    assert "http" not in page
    assert "durable" in page


@pytest.mark.parametrize("command", ["reconcile", "report"])
def test_what_is_no_label_file_is_refused(
    talks: Talks, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    transcripts = many(talks, 1)
    out = ("-o", "rules.db") if command == "reconcile" else ()

    assert henceforth("batch", command, transcripts, *out) == 2
    assert "no label row in line 1" in capsys.readouterr().err
    assert henceforth("batch", command, "nowhere.jsonl", *out) == 2


def _start(folder: Path, seconds: float) -> "subprocess.Popen[bytes]":
    arguments = ["batch", "label", "chats.jsonl", "-o", "labels.jsonl", "--concurrency", "3"]
    program = [sys.executable, str(HERE / "killed_run.py"), str(HERE), str(seconds), *arguments]
    return subprocess.Popen(program, cwd=folder, stderr=subprocess.DEVNULL, env={**os.environ})


def _paid(cache: Path) -> int:
    if not cache.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{cache}?mode=ro", uri=True) as db:
            return int(db.execute("SELECT count(*) FROM labels").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def _until_paid(cache: Path, count: int, run: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 300
    while _paid(cache) < count:
        assert run.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_run_killed_twice_ends_with_the_same_bytes_and_pays_for_each_turn_once(
    talks: Talks, tmp_path: Path
) -> None:
    many(talks, 60)
    henceforth("batch", "label", "chats.jsonl", "-o", "undisturbed.jsonl", "--cache", "u.db")
    cache = tmp_path / "henceforth-labels.db"
    for count in (40, 80):
        run = _start(tmp_path, 0.02)
        _until_paid(cache, count, run)
        run.kill()
        run.wait()
    paid = _paid(cache)
    labeller = RuleLabeller()

    code = henceforth("batch", "label", "chats.jsonl", "-o", "labels.jsonl", labeller=labeller)

    assert code == 0
    assert len(labeller.asked) == _paid(tmp_path / "u.db") - paid
    assert _read(tmp_path, "labels.jsonl") == _read(tmp_path, "undisturbed.jsonl")


def _read(folder: Path, name: str) -> Sequence[str]:
    return (folder / name).read_text("utf-8").splitlines()


def test_an_interrupted_run_ends_cleanly_and_goes_on(talks: Talks, tmp_path: Path) -> None:
    many(talks, 60)
    cache = tmp_path / "henceforth-labels.db"
    run = _start(tmp_path, 0.02)
    _until_paid(cache, 30, run)

    run.send_signal(signal.SIGINT)

    assert run.wait(120) == 1
    rows = _read(tmp_path, "labels.jsonl.partial")
    with LabelCache(cache) as kept:
        assert 30 <= len(kept) < 240
    assert 30 <= len(rows) < 240
    assert all(json.loads(row)["status"] != "failed" for row in rows)

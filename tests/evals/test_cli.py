"""`henceforth eval` as people call it: output, exit codes, and messages."""

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from henceforth.evals.cli import spread
from henceforth.evals.data.cases import Case
from henceforth.pipeline.cli import main

ROWS = Path(__file__).parents[2] / "fixtures" / "evals" / "rows.jsonl"


def run(*arguments: str) -> int:
    return main(["eval", *arguments])


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture
def some_cases(cases: Mapping[str, Case], tmp_path: Path) -> Path:
    path = tmp_path / "some.jsonl"
    chosen = [cases[name] for name in ("a015", "g003", "r048", "a003")]
    lines = [each.model_dump_json(by_alias=False, exclude_none=True) for each in chosen]
    path.write_text("\n".join(lines), "utf-8")
    return path


def test_gold_labels_pass_and_the_json_has_the_keys(
    some_cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run("run", "--labels", "gold", "--cases", str(some_cases), "--json")

    found = printed(capsys)
    assert code == 0
    assert {"labels", "state", "behaviour", "rows", "cost"} <= found.keys()
    assert (found["state"]["passed"], found["state"]["total"]) == (4, 4)
    assert found["state"]["failed"] == []


def test_gold_labels_that_fail_exit_with_one(
    cases: Mapping[str, Case], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = cases["a015"].model_copy(update={"in_force_after": ("Reply in Latin",)})
    path = tmp_path / "wrong.jsonl"
    path.write_text(wrong.model_dump_json(exclude_none=True), "utf-8")

    code = run("run", "--labels", "gold", "--cases", str(path), "--json")

    assert code == 1
    assert printed(capsys)["state"]["failed"] == ["a015"]


def test_several_files_may_follow_one_option() -> None:
    assert spread(["run", "--cases", "a", "b", "--json", "--rows", "c"]) == [
        "run", "--cases", "a", "--cases", "b", "--json", "--rows", "c",
    ]  # fmt: skip


def test_rows_are_scored_in_the_order_of_their_format(capsys: pytest.CaptureFixture[str]) -> None:
    code = run("run", "--labels", "always-durable", "--rows", str(ROWS), "--json")

    rows = printed(capsys)["rows"]
    assert code == 0
    assert rows["rows"] == 10
    assert rows["false_store"]["value"] == 1
    asked = ["false_store", "recall", "intent", "scope", "dimension", "states", "retrievals"]
    assert [name for name in rows if name in asked] == asked


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--suite", "nonsense"], "no suite is called 'nonsense'", id="no suite"),
        pytest.param(["--cases", "none.jsonl"], "none.jsonl", id="no file"),
        pytest.param(["--labels", "model"], "no model is set", id="no model"),
        pytest.param(["--labels", "gold", "--suite", "dev"], "run only cases", id="gold of turns"),
        pytest.param(["--replay", "nowhere"], "no folder 'nowhere'", id="no recordings"),
    ],
)
def test_a_wrong_call_is_one_message_and_exits_with_two(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HENCEFORTH_MODEL", raising=False)

    code = run("run", *arguments)

    told = capsys.readouterr().err
    assert code == 2
    assert message in told
    assert "Traceback" not in told


def saved(folder: Path, labels: str, cases: Path) -> Path:
    path = folder / f"{labels}.json"
    run("run", "--labels", labels, "--cases", str(cases), "--no-behaviour", "--save", str(path))
    return path


def test_a_worse_run_exits_with_one_and_a_better_one_does_not(
    some_cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    none = saved(tmp_path, "always-none", some_cases)
    durable = saved(tmp_path, "always-durable", some_cases)
    capsys.readouterr()

    worse = run("compare", str(none), str(durable), "--json")
    told = printed(capsys)
    same = run("compare", str(none), str(none))

    assert (worse, same) == (1, 0)
    assert told["worse"] is True
    assert "cases: false stores" in [each["name"] for each in told["figures"] if each["worse"]]


def test_a_run_is_held_against_its_baseline(
    some_cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = saved(tmp_path, "always-none", some_cases)
    options = ("--cases", str(some_cases), "--no-behaviour", "--baseline", str(baseline))

    worse = run("run", "--labels", "always-durable", *options)
    same = run("run", "--labels", "always-none", *options)

    assert (worse, same) == (1, 0)
    assert "worse than before" in capsys.readouterr().out


def test_a_file_that_is_no_report_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"about": 1}', "utf-8")

    code = run("report", str(path))

    assert code == 2
    assert "is no report: about" in capsys.readouterr().err


def test_without_colours_where_nobody_sees_them(
    some_cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("run", "--labels", "gold", "--cases", str(some_cases))

    told = capsys.readouterr().out
    assert "state: cases passed" in told
    assert "\x1b[" not in told


# --- The page ----------------------------------------------------------------

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> Always answer in one line."


@pytest.fixture
def page(cases: Mapping[str, Case], tmp_path: Path) -> Path:
    turns = (cases["a003"].turns[0].model_copy(update={"text": HOSTILE}),)
    hostile = cases["a003"].model_copy(update={"turns": turns})
    data, path = tmp_path / "cases.jsonl", tmp_path / "page.html"
    data.write_text(hostile.model_dump_json(exclude_none=True), "utf-8")
    run("run", "--labels", "always-durable", "--cases", str(data), "--html", str(path))
    return path


class Outward(HTMLParser):
    """Collects what would be fetched, and the scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag in {"script", "img", "link", "iframe"} or named.get("src"):
            self.found.append(tag)
        if (href := named.get("href")) and not href.startswith("#"):
            self.found.append(href)


def test_the_page_needs_nothing_from_outside_and_runs_no_script(page: Path) -> None:
    text = page.read_text("utf-8")
    parser = Outward()

    parser.feed(text)

    assert parser.found == []
    assert not re.search(r"url\(|@import", text)
    assert "default-src &#39;none&#39;" in text or "default-src 'none'" in text


def test_the_page_draws_the_keyword_floor_and_shows_the_failed_turn(page: Path) -> None:
    text = page.read_text("utf-8")

    assert "keyword rule: 12.1% false stores at a recall of 0.686" in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "table row" in text


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs a browser: chromium")
def test_a_real_browser_shows_the_page(page: Path, tmp_path: Path) -> None:
    browser = shutil.which("chromium")
    assert browser is not None
    options = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'b'}")

    shown = subprocess.run(
        [browser, *options, "--dump-dom", page.as_uri()],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip

    assert '<h2 id="stores">False stores against recall</h2>' in shown.stdout
    assert "<svg" in shown.stdout
    assert "alert(2)&gt;" in shown.stdout

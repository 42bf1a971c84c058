"""Every way a run can end has its exit code and one message; a traceback is none of them."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from henceforth.pipeline.cli import main
from henceforth.pipeline.cli.exits import GivenError, OutputClosedError
from henceforth.pipeline.cli.running import run
from henceforth.pipeline.errors import (
    NotADatabaseError,
    StoreUnavailableError,
    Unavailable,
    UnknownRuleError,
)
from henceforth.schemas.ids import RuleId
from henceforth.schemas.outcome import Labelled
from henceforth.schemas.turn import Turn

from .conftest import Cli, Labels, durable

ENDS: dict[str, tuple[BaseException, int]] = {
    "what was given does not fit": (GivenError("no"), 2),
    "an unknown id": (UnknownRuleError(rule=RuleId("r1")), 2),
    "the store cannot be used": (StoreUnavailableError(where="x", why=Unavailable.FULL), 3),
    "what is there is no database": (NotADatabaseError(where="x"), 3),
    "the disk fails": (OSError(28, "No space left on device", "out"), 3),
    "a bug": (KeyError("x"), 70),
    "Ctrl-C": (KeyboardInterrupt(), 130),
    "the reader has left": (OutputClosedError(), 141),
    "several errors at once": (ExceptionGroup("", [GivenError("no")]), 2),
}


def raising(error: BaseException) -> click.Command:
    def fail(x: str) -> None:
        raise error

    return click.Command("fail", callback=fail, params=[click.Argument(["x"], required=False)])


@pytest.mark.parametrize(("error", "code"), ENDS.values(), ids=ENDS)
def test_each_end_has_its_code(
    error: BaseException, code: int, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(raising(error), ["x"], None) == code

    told = capfd.readouterr()
    assert told.out == ""
    assert "Traceback" not in told.err
    assert told.err.strip().count("\n") == 0


def test_a_bug_shows_its_traceback_to_who_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENCEFORTH_DEBUG", "1")

    with pytest.raises(KeyError):
        run(raising(KeyError("x")), ["x"], None)


def test_a_message_cannot_drive_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    run(raising(GivenError("\x1b[31mred\x07 \u202eevil")), ["x"], None)

    assert capsys.readouterr().err == "henceforth: \\x1b[31mred\\x07 \\u202eevil\n"


def run_shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHON": sys.executable}
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
    )


def test_a_reader_that_leaves_is_no_error(told: Cli, labels: Labels, home: Path) -> None:
    labels.says("long", durable("content", "x" * 300_000))
    told("observe", "long")

    ran = run_shell('"$PYTHON" -m henceforth export | head -c 1', home)

    assert ran.stderr == ""
    assert ran.returncode == 141


class Interrupts(Labels):
    """A labeller during whose work the user presses Ctrl-C."""

    async def label(self, turn: Turn) -> Labelled:
        if turn.text == "stop":
            signal.raise_signal(signal.SIGINT)
        return await super().label(turn)


def test_ctrl_c_ends_a_run_with_one_message_and_what_is_done_stands(
    told: Cli, labels: Labels, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = ("Use tabs.", "stop", "Use spaces.")
    lines = [{"role": "user", "content": text} for text in texts]
    Path("t.jsonl").write_text("\n".join(map(json.dumps, lines)))
    stopped = Interrupts()
    stopped.says("Use tabs.", durable("code_style", "tabs"))

    code = main(["apply", "t.jsonl", "--concurrency", "1"], labeller=stopped)

    assert code == 130
    assert capsys.readouterr().err == (
        "henceforth: 1 of 3 turns are done.\nhenceforth: interrupted.\n"
    )
    assert "code_style/replies = tabs" in told("rules").out
    assert told("fold").code == 0

"""The command line in this process, with a labeller that says what a test tells it to."""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from henceforth.pipeline.cli import main
from henceforth.pipeline.errors import LabelError, ModelUnavailableError
from henceforth.schemas.labels import Label, LabelledBy, NoneReason, TurnLabels
from henceforth.schemas.outcome import Labelled
from henceforth.schemas.turn import Turn


def durable(dimension: str, value: str, **more: Any) -> Label:
    """A durable label with its value for a statement and a quote."""
    given = {"intent": "durable", "statement": f"{dimension}: {value}", "quote": value, **more}
    return Label.model_validate({"dimension": dimension, "value": value, **given})


@dataclass
class Labels:
    """A labeller: the labels of each text it knows, a reason for none for all others."""

    known: dict[str, TurnLabels] = field(default_factory=dict[str, TurnLabels])
    failing: set[str] = field(default_factory=set[str])
    asked: list[Turn] = field(default_factory=list[Turn])

    def says(self, text: str, *labels: Label, **other: Any) -> None:
        self.known[text] = TurnLabels(labels=labels, **other)

    def fails_on(self, *texts: str) -> None:
        self.failing = set(texts)

    async def label(self, turn: Turn) -> Labelled:
        self.asked.append(turn)
        if turn.text in self.failing:
            raise self._error(turn)
        none = TurnLabels(none_reason=NoneReason.TASK_REQUEST)
        by = LabelledBy(model="told", prompt="none@1")
        return Labelled(labels=self.known.get(turn.text, none), labelled_by=by)

    @staticmethod
    def _error(turn: Turn) -> LabelError:
        return ModelUnavailableError(turn=turn.id, model="told", attempts=3, why="nobody answers")


@dataclass(frozen=True)
class Ran:
    """How one run ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Ran]


@pytest.fixture
def labels() -> Labels:
    return Labels()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with nothing in it, and no setting but the subject."""
    for name in os.environ:
        if name.startswith("HENCEFORTH_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HENCEFORTH_SUBJECT", "ana")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cli(home: Path, labels: Labels, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run one command in this process."""

    def run(*argv: str) -> Ran:
        capsys.readouterr()
        code = main(argv, labeller=labels)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


ZH = "Use Chinese by default."
SHORT = "Keep it short."
EN = "Use English for all future replies."

KNOWN: Mapping[str, Label] = {
    ZH: durable("language", "zh", quote="Use Chinese by default"),
    SHORT: durable("length", "concise", quote="Keep it short"),
    EN: durable("language", "en", quote="Use English", revises="change"),
}


@pytest.fixture(scope="session")
def after_three_turns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which `ana` said all that is known, each in a conversation of its own."""
    file = tmp_path_factory.mktemp("template") / "henceforth.db"
    labels = Labels()
    for number, (text, label) in enumerate(KNOWN.items(), start=1):
        labels.says(text, label)
        where = ["--db", str(file), "--subject", "ana", "--conversation", f"c{number}"]
        said = ["--said-at", f"2026-03-0{number}T09:00+00:00"]
        assert main(["observe", text, *where, *said], labeller=labels) == 0
    return file


@pytest.fixture
def told(cli: Cli, home: Path, after_three_turns: Path) -> Cli:
    """A command line after three turns: Chinese, short, then English in place of Chinese."""
    shutil.copy(after_three_turns, home)
    return cli

"""Both steps on a real local Ray with two workers, one of them killed: the same bytes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from henceforth.pipeline.cli import main

from .conftest import RuleLabeller, Talks

pytestmark = pytest.mark.ray

HERE = Path(__file__).parent


def test_a_killed_worker_changes_no_byte(
    talks: Talks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HENCEFORTH_MODEL", "m")
    said = {f"person{n}": ["keep it short", f"answer in L{n % 7}", f"hello {n}"] for n in range(80)}
    talks("chats.jsonl", **said)
    assert main(["batch", "label", "chats.jsonl", "-o", "one.jsonl"], labeller=RuleLabeller()) == 0
    assert main(["batch", "reconcile", "one.jsonl", "-o", "one.db"]) == 0

    subprocess.run(
        [sys.executable, str(HERE / "ray_run.py"), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(HERE), "RAY_DATA_DISABLE_PROGRESS_BARS": "1"},
        check=True,
        timeout=600,
    )

    assert (tmp_path / "killed").exists()
    assert (tmp_path / "ray.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()
    assert (tmp_path / "ray.db").read_bytes() == (tmp_path / "one.db").read_bytes()

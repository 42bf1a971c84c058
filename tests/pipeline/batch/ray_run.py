"""A program for the test on Ray: both steps on a local Ray, one worker killed on the way."""

import os
import signal
import sys
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

from conftest import RuleLabeller

from henceforth import Labelled, Settings, Turn, default_registry
from henceforth.pipeline.batch.folding import Terms
from henceforth.pipeline.batch.on_ray import label_on_ray, reconcile_on_ray
from henceforth.pipeline.batch.readers import ReadOptions, found
from henceforth.pipeline.batch.running import Job


class Deadly(RuleLabeller):
    """Kills the first process in which it meets a certain turn."""

    def __init__(self, flag: Path) -> None:
        super().__init__()
        self._flag = flag

    async def label(self, turn: Turn) -> Labelled:
        if turn.text == "hello 55" and not self._flag.exists():
            self._flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().label(turn)


def main(folder: Path) -> None:
    ray: Any = import_module("ray")
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=100_000_000)
    registry = default_registry()
    job = Job(
        sources=found([folder / "chats.jsonl"]),
        options=ReadOptions(),
        settings=Settings(model="m"),
        registry=registry,
        out=folder / "ray.jsonl",
        cache=folder / "ray-cache.db",
        rejects=folder / "ray-rejects.jsonl",
    )
    label_on_ray(job, Deadly(folder / "killed"), size=16)
    terms = Terms(registry=registry, undo_window=timedelta(days=7))
    reconcile_on_ray([folder / "ray.jsonl"], folder / "ray.db", terms)
    ray.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

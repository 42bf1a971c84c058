"""The service in a process of its own, with a labeller that knows its turns by heart."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

PROGRAM = """
import json, sys
from labelling import ByHeart
from henceforth.pipeline.cli import main

class Telling(ByHeart):
    async def label(self, turn):
        print(json.dumps({"asked": turn.id}), file=sys.stderr, flush=True)
        return await super().label(turn)

labeller = Telling()
labeller.delay = float(sys.argv[1])
sys.exit(main(sys.argv[2:], labeller=labeller))
"""
SUPPORT = Path(__file__).parent


class Process:
    """One run of `henceforth`, and what it has written to stderr so far."""

    def __init__(self, *command: str, delay: float, log: Path) -> None:
        self.log = log
        path = os.pathsep.join([str(SUPPORT), os.environ.get("PYTHONPATH", "")])
        with log.open("ab") as written:
            self.process = subprocess.Popen(
                [sys.executable, "-c", PROGRAM, str(delay), *command],
                stdout=subprocess.DEVNULL,
                stderr=written,
                env=os.environ | {"PYTHONPATH": path},
            )

    def lines(self) -> list[dict[str, object]]:
        found: list[dict[str, object]] = []
        for line in self.log.read_text("utf-8").splitlines():
            with suppress(ValueError):
                found.append(json.loads(line))
        return found

    def wait_until_asked(self, turn: str) -> None:
        """Wait until the labeller of the process has begun with the turn."""
        for _ in range(1200):
            if any(line.get("asked") == turn for line in self.lines()):
                return
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=0.1)
                break
        raise AssertionError(f"{turn!r} is never labelled: {self.log.read_text('utf-8')}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(timeout=120)


class Served(Process):
    """A service that answers."""

    @property
    def url(self) -> str:
        """The address, as soon as it listens."""
        for _ in range(1200):
            for line in self.lines():
                words = str(line.get("message", "")).split()
                if words[:3] == ["listening", "on", "port"]:
                    return f"http://127.0.0.1:{words[3]}"
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=0.1)
                break
        raise AssertionError(f"the service does not listen: {self.log.read_text('utf-8')}")


@contextmanager
def running(db: str, folder: Path, *more: str, delay: float = 0.0) -> Generator[Served, None, None]:
    """A service without keys on a free port, killed at the end of the block if it still runs."""
    served = Served(
        "serve", "--db", db, "--port", "0", "--no-keys", *more, delay=delay, log=folder / "log"
    )
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.stop(signal.SIGKILL)

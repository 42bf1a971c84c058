"""From transcripts to a report through a server that only waits, killed twice on the way.

    python benchmarks/whole.py 100000 --delay 0.5 --concurrency 64

Runs label, reconcile and report twice: undisturbed, and with the labelling killed (SIGKILL) at a
third and at two thirds. Prints how long each step took, and fails unless the bytes are the same.
"""

import argparse
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from urllib.request import urlopen

from generate import write

HERE = Path(__file__).parent


def environment(port: int, concurrency: int) -> dict[str, str]:
    """The settings of all commands."""
    return {
        **os.environ,
        "HENCEFORTH_MODEL": "openai/delay",
        "HENCEFORTH_API_BASE": f"http://127.0.0.1:{port}/v1",
        "HENCEFORTH_API_KEY": "none",
        "HENCEFORTH_CONCURRENCY": str(concurrency),
    }


def command(*words: object) -> list[str]:
    """A henceforth command."""
    return [sys.executable, "-m", "henceforth", "batch", *map(str, words)]


def paid(cache: Path) -> int:
    """How many turns are in the cache."""
    try:
        with sqlite3.connect(f"file:{cache}?mode=ro", uri=True) as db:
            return int(db.execute("SELECT count(*) FROM labels").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def kill_at(words: list[str], env: dict[str, str], cache: Path, count: int) -> None:
    """Run until so many turns are paid for, then kill."""
    run = subprocess.Popen(words, env=env)
    while paid(cache) < count and run.poll() is None:
        time.sleep(0.1)
    run.send_signal(signal.SIGKILL)
    run.wait()


def timed(name: str, words: list[str], env: dict[str, str]) -> float:
    """Run to the end and say how long it took."""
    started = time.monotonic()
    subprocess.run(words, env=env, check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - started
    print(f"{name:<28}{seconds:>10.1f} s", flush=True)
    return seconds


def one_run(transcripts: Path, out: Path, env: dict[str, str], kills: list[int]) -> list[str]:
    """All three steps; the digests of what they wrote."""
    out.mkdir()
    labels, rules, page = out / "labels.parquet", out / "rules.db", out / "report.html"
    label = command("label", transcripts, "-o", labels)
    for count in kills:
        kill_at(label, env, out / "henceforth-labels.db", count)
    timed("label" if not kills else "label, the rest of it", label, env)
    timed("reconcile", command("reconcile", labels, "-o", rules), env)
    timed("report", command("report", labels, "--html", page), env)
    return [sha256(path.read_bytes()).hexdigest()[:16] for path in (labels, rules, page)]


def asked(port: int) -> int:
    """How many requests the server has answered."""
    with urlopen(f"http://127.0.0.1:{port}/requests") as answer:
        return int(json.load(answer)["requests"])


def main() -> None:
    """Make transcripts, run twice, compare."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("turns", type=int)
    options.add_argument("--delay", type=float, default=0.5)
    options.add_argument("--concurrency", type=int, default=64)
    options.add_argument("--seed", type=int, default=7)
    given = options.parse_args()
    server = subprocess.Popen(
        [sys.executable, str(HERE / "delay_server.py"), "--delay", str(given.delay)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        port = int(server.stdout.readline()) if server.stdout else 0
        env = environment(port, given.concurrency)
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            write(given.turns, folder / "in", seed=given.seed)
            whole = one_run(folder / "in", folder / "whole", env, [])
            first = asked(port)
            kills = [given.turns // 3, given.turns * 2 // 3]
            killed = one_run(folder / "in", folder / "killed", env, kills)
            second = asked(port) - first
    finally:
        server.kill()
        server.wait()
    print(f"requests: {first} undisturbed, {second} when killed twice")
    print("same bytes" if whole == killed else f"DIFFERENT: {whole} {killed}")
    sys.exit(whole != killed)


if __name__ == "__main__":
    main()

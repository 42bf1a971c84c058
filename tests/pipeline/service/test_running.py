"""The service as a process: it ends without losing what is under way, and logs no text."""

import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest
from labelling import CONCISE, ENGLISH, STUCK
from served import running

from henceforth.pipeline.cli import main
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.ids import subject_id

SECRET = "My grandmother's name is Xyzzyva."


def turn(text: str, id: str, subject: str = "ann", **more: object) -> dict[str, object]:
    return {"subject": subject, "turn": {"text": text, "id": id}, **more}


def test_told_to_stop_it_answers_what_is_under_way_and_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "rules.db"
    with (
        running(str(file), tmp_path, "--grace", "6", delay=1) as served,
        ThreadPoolExecutor() as calls,
    ):
        post = f"{served.url}/v1/turns"
        behind = [
            httpx2.post(post, json=turn(text, id, mode="background"), timeout=60).status_code
            for text, id in ((CONCISE, "t1"), (STUCK, "t2"))
        ]
        blocking = calls.submit(httpx2.post, post, json=turn(ENGLISH, "t3"), timeout=60)
        served.wait_until_asked("t3")
        ended = served.stop()

        assert behind == [202, 202]
        assert (blocking.result().status_code, ended) == (200, 0)
    store = SqlStore(file)
    assert {rule.statement for rule in store.read(subject_id("ann")).rules} == {CONCISE, ENGLISH}
    assert [each.turn.text for each in store.pending()] == [STUCK]
    store.close()


def test_killed_it_keeps_what_it_has_accepted_and_no_file_keeps_what_is_erased(
    tmp_path: Path,
) -> None:
    file = tmp_path / "rules.db"
    with running(str(file), tmp_path) as served:
        url = served.url
        for number, text in enumerate((SECRET, ENGLISH, f"{SECRET} And more.")):
            httpx2.post(f"{url}/v1/turns", json=turn(text, f"t{number}"), timeout=60)
        httpx2.post(f"{url}/v1/turns", json=turn(STUCK, "t4", mode="background"), timeout=60)
        unfit = {"subject": "ann", "turn": {"text": SECRET, "index": SECRET}}
        httpx2.post(f"{url}/v1/turns", json=unfit, timeout=60)
        httpx2.get(f"{url}/{SECRET}", params={"subject": SECRET}, timeout=60)
        before = on_disk(tmp_path)
        params = {"subject": "ann"}
        answer = httpx2.get(f"{url}/v1/rules", params=params, timeout=60)
        erased = httpx2.post(f"{url}/v1/erase", json=params, timeout=60)
        after = on_disk(tmp_path)
        httpx2.post(f"{url}/v1/turns", json=turn(STUCK, "t5", mode="background"), timeout=60)
        served.stop(signal.SIGKILL)

    assert erased.status_code == 200
    assert [text.encode() in before for text in (ENGLISH, STUCK)] == [True, True]
    assert [text.encode() in after for text in (ENGLISH, STUCK)] == [False, False]
    assert b"Xyzzyva" not in before + after
    called = [each for each in served.lines() if each.get("route") == "/v1/rules"]
    assert [(each["method"], each["status"], each["request"]) for each in called] == [
        ("GET", 200, answer.headers["x-request-id"])
    ]
    store = SqlStore(file)
    assert [each.turn.id for each in store.pending()] == ["t5"]
    store.close()


def on_disk(folder: Path) -> bytes:
    """All bytes of the database, of the files beside it, and of the log."""
    return b"".join(each.read_bytes() for each in sorted(folder.iterdir()))


def test_what_keeps_it_from_starting_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes.db"
    notes.write_text("no database at all, only notes\n" * 50)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        codes = [
            main(["serve", "--db", str(tmp_path / "rules.db"), "--port", port]),
            main(["serve", "--db", str(notes), "--port", "0"]),
            main(["serve", "--host", "0.0.0.0", "--no-keys"]),
        ]

    told = capsys.readouterr().err.splitlines()
    assert codes == [3, 3, 2]
    assert [line.startswith("henceforth: ") for line in told] == [True] * 3

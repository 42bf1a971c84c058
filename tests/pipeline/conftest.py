"""A model to label with: a real HTTP server on loopback that says what a test tells it to."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR
from typing import Any

import pytest


@dataclass(frozen=True)
class Reply:
    """One reply. Without a body it is a chat completion with the text."""

    text: str | None = None
    status: int = 200
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    finish: str = "stop"
    seconds: float = 0.0
    hangs_up: bool = False
    logprobs: Any = None

    def content(self) -> bytes:
        if self.body is not None:
            return self.body
        choice = {
            "index": 0,
            "finish_reason": self.finish,
            "message": {"role": "assistant", "content": self.text},
            "logprobs": self.logprobs,
        }
        usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
        completion = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
        return json.dumps({**completion, "choices": [choice], "usage": usage}).encode()


class ModelServer:
    """Gives its replies in turn and the last one again and again; keeps what it was asked."""

    def __init__(self) -> None:
        self._replies: list[Reply] = []
        self._special: tuple[str, Reply] | None = None
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def says(self, *replies: Reply | str | dict[str, Any]) -> None:
        self._replies = [self._reply(each) for each in replies]

    def replies_when(self, words: str, reply: Reply | str | dict[str, Any]) -> None:
        """What to say instead whenever the last message holds the words."""
        self._special = (words, self._reply(reply))

    @staticmethod
    def _reply(said: Reply | str | dict[str, Any]) -> Reply:
        if isinstance(said, Reply):
            return said
        return Reply(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))

    def asked(self, index: int = -1) -> str:
        """The last message of a request."""
        return str(self.requests[index]["messages"][-1]["content"])

    def __enter__(self) -> "ModelServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _next(self, path: str, request: dict[str, Any]) -> Reply:
        with self._lock:
            self.requests.append(request)
            self.paths.append(path)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            if self._special and self._special[0] in self.asked():
                return self._special[1]
            return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                reply = server._next(self.path, request)
                time.sleep(reply.seconds)
                server.at_once -= 1
                with suppress(OSError):  # a client that gave up waiting is what some tests want
                    self._send(reply)

            def _send(self, reply: Reply) -> None:
                if reply.hangs_up:
                    self.close_connection = True
                    self.connection.shutdown(SHUT_RDWR)
                    return
                content = reply.content()
                self.send_response(reply.status)
                headers = {"content-type": "application/json", **reply.headers}
                for name, value in {**headers, "content-length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"

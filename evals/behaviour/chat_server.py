"""A real HTTP server on loopback that answers chat completions with what it is told to say."""

import json
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from types import TracebackType
from typing import Self

from ...schemas.base import Shape


class Reply(Shape):
    """One reply of the server."""

    text: str
    status: int = 200
    retry_after: int | None = None


class ChatServer:
    """Says its replies in turn, one a request; the last one is repeated."""

    def __init__(self) -> None:
        self._replies: list[Reply] = []
        self._lock = Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self.requests = 0

    @property
    def url(self) -> str:
        """The address for `api_base`."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def say(self, replies: Sequence[Reply]) -> None:
        """What to say to the next requests."""
        with self._lock:
            self._replies = list(replies)

    def __enter__(self) -> Self:
        """Start to listen."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop, and give the port back."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _next(self) -> Reply:
        with self._lock:
            self.requests += 1
            return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        take = self._next

        class Handler(BaseHTTPRequestHandler):
            """Answers any POST."""

            def do_POST(self) -> None:
                """Send the next reply."""
                self.rfile.read(int(self.headers.get("content-length", 0)))
                reply = take()
                body = json.dumps(_completion(reply)).encode()
                self.send_response(reply.status)
                if reply.retry_after is not None:
                    self.send_header("retry-after", str(reply.retry_after))
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing on stderr."""

        return Handler


def _completion(reply: Reply) -> dict[str, object]:
    if reply.status != 200:
        return {"error": {"message": reply.text, "type": "error", "code": reply.status}}
    message = {"role": "assistant", "content": reply.text}
    return {
        "id": "given",
        "object": "chat.completion",
        "created": 0,
        "model": "given",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }

"""Logs as lines of JSON, without what a user wrote.

Texts can hide in the message of any exception: of an exception only its kind and its place are
logged, and of a request its route, never its path, its query or its body.
"""

import json
import logging
import sys
import time
import traceback
from datetime import UTC, datetime
from uuid import uuid4

from starlette.types import ASGIApp, Message, Receive, Scope, Send

ACCESS = logging.getLogger("henceforth.access")

_FIELDS = "henceforth_fields"


class JsonLines(logging.Formatter):
    """One line of JSON a record; what an exception says is not logged."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"at": at, "level": record.levelname.lower(), "log": record.name}
        fields = getattr(record, _FIELDS, None)
        line |= fields if fields is not None else {"message": record.getMessage()}
        if record.exc_info and record.exc_info[1] is not None:
            line |= {"message": "failed", "error": _kinds(record.exc_info[1])}
        return json.dumps(line, ensure_ascii=False)


def install(level: str = "INFO") -> None:
    """Let all logs of the process be lines of JSON on stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "LiteLLM", "httpx"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    for name in ("LiteLLM", "httpx", "uvicorn.access"):  # they log addresses and bodies
        logging.getLogger(name).setLevel(logging.ERROR)


def _kinds(error: BaseException) -> list[str]:
    """Each exception of the chain by kind and place, the last raised first."""
    chain: list[str] = []
    found: BaseException | None = error
    while found is not None and len(chain) < 10:
        frames = traceback.extract_tb(found.__traceback__)
        place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "?"
        chain.append(f"{type(found).__name__} at {place}")
        found = found.__cause__ or found.__context__
    return chain


class AccessLog:
    """Logs each request when it is answered, and gives it an id that the answer carries too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and log it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        id, status, started = uuid4().hex, 0, time.perf_counter()

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", id.encode())]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            spent = round((time.perf_counter() - started) * 1000, 1)
            ACCESS.info(
                "", extra={_FIELDS: {"request": id, "status": status, "ms": spent} | _who(scope)}
            )


def _who(scope: Scope) -> dict[str, object]:
    caller = scope.get("state", {}).get("caller")
    return {
        "method": scope["method"],
        "route": getattr(scope.get("route"), "path", None),
        "tenant": caller and caller.tenant,
        "key": caller and caller.key,
    }

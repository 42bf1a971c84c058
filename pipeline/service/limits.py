"""Requests that are too large are refused before they are read into memory."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .problems import plain, response

_STATUS = 413


class BodyLimit:
    """Refuses bodies over a size, whether or not the request says how large it is."""

    def __init__(self, app: ASGIApp, *, most: int) -> None:
        self._app, self._most = app, most
        self._detail = f"A request may have {most} bytes."

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, counting what is read of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif _declared(scope) > self._most:
            refusal = response(plain(_STATUS, self._detail), {"connection": "close"})
            await refusal(scope, receive, send)
        else:
            await self._app(scope, self._counted(receive), send)

    def _counted(self, receive: Receive) -> Receive:
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._most:
                raise HTTPException(_STATUS, self._detail, {"connection": "close"})
            return message

        return counted


def _declared(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0

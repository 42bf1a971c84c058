"""A chat backend: one endpoint that keeps what users tell it, and answers by the rules in force.

    pip install 'henceforth[server]'
    export HENCEFORTH_MODEL=ollama_chat/qwen3
    uvicorn --factory examples.chat_backend:from_settings

The host's own login says who the user is; here a header stands in for it.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from henceforth import Chat, ChatMessage, ChatMode, Context, Host, Settings, SqlStore

Answer = Callable[[list[ChatMessage]], Awaitable[str]]
"""Puts the messages to the model that talks with the user."""


def app(host: Host, answer: Answer, *, mode: ChatMode = ChatMode.BLOCKING) -> Starlette:
    """The backend; `answer` is whatever it calls its model with."""
    chat = Chat(host, mode=mode, deadline=5)

    async def reply(request: Request) -> JSONResponse:
        asked = await request.json()
        context = Context(conversation=asked["conversation"], project=asked.get("project"))
        messages = await chat.prepare(asked["messages"], request.headers["x-user"], context)
        return JSONResponse({"role": "assistant", "content": await answer(messages)})

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        yield
        await chat.aclose()

    return Starlette(routes=[Route("/chat", reply, methods=["POST"])], lifespan=lifespan)


def from_settings() -> Starlette:
    """The backend with the store and the model of the settings."""
    from litellm import acompletion

    settings = Settings.load()

    async def answer(messages: list[ChatMessage]) -> str:
        given = {"model": settings.model, "api_base": settings.api_base, "messages": messages}
        reply: Any = await acompletion(**given)
        return reply.choices[0].message.content or ""

    return app(Host(SqlStore(settings.db), settings=settings), answer)

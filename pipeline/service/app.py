"""The service as an ASGI app."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware

from ..hosting import Host
from ..keys import Keys
from . import problems
from .callers import Door
from .limits import BodyLimit
from .logs import AccessLog
from .options import Options
from .routes import open_to_all, router
from .work import Work

VERSION = "1"
"""Of the interface: the `v1` in its paths."""


LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names by which a service without keys may be called: no page of another site can use one."""


def make_app(host: Host, *, keys: Keys | None, options: Options | None = None) -> FastAPI:
    """The service.

    Args:
        host: Whose store and labeller it uses; to be closed by whoever made it.
        keys: The keys that open it. None asks for no key: for a socket that only this machine
            can reach, and for tests.
        options: Its limits.

    Raises:
        ValueError: If the rate of the options is none.
    """
    options = options or Options()
    work = Work(host, options)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        yield
        await work.aclose()

    app = FastAPI(
        title="henceforth",
        summary="Keep a person's standing instructions right.",
        version=VERSION,
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.work = work
    app.state.door = Door(keys, tenant=host.settings.tenant, rate=options.rate)
    app.include_router(router)
    app.include_router(open_to_all)
    problems.install(app)
    app.add_middleware(BodyLimit, most=options.body)
    if keys is None:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=LOOPBACK)
    app.add_middleware(AccessLog)
    return app

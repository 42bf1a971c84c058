"""Runs the service: a socket, a store, and an end that waits for what is under way."""

import logging
import signal
import socket
import sys
from contextlib import closing
from ipaddress import ip_address

import uvicorn

from ...schemas.base import Shape
from ..errors import KeysNeededError
from ..hosting import Host
from ..intake import Labeller
from ..keys import Keys
from ..settings import Settings
from ..stores.keys import KeptKeys
from ..stores.sql import SqlStore
from . import logs
from .app import make_app
from .options import Options

_LOG = logging.getLogger("henceforth.service")


class Address(Shape):
    """Where the service listens; port 0 takes a free one."""

    host: str = "127.0.0.1"
    port: int = 8470

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return self.host == "localhost" or ip_address(self.host).is_loopback
        except ValueError:
            return False


def serve(
    settings: Settings,
    address: Address,
    *,
    options: Options,
    with_keys: bool = True,
    labeller: Labeller | None = None,
) -> None:
    """Serve until the process is told to stop; then finish what is under way.

    Raises:
        KeysNeededError: If no key is asked for where others can reach it.
        StoreError: If the store cannot be opened.
        OSError: If the address is taken.
    """
    if not with_keys and not address.is_loopback:
        raise KeysNeededError(host=address.host)
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with (
        closing(SqlStore(settings.db)) as store,
        socket.create_server((address.host, address.port), family=family, backlog=512) as listening,
    ):
        keys = Keys(KeptKeys(store)) if with_keys else None
        host = Host(store, settings=settings, labeller=labeller)
        config = uvicorn.Config(
            make_app(host, keys=keys, options=options),
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=int(options.deadline + options.grace) + 5,
        )
        logs.install()
        signal.signal(signal.SIGTERM, _end)
        _LOG.info("listening on port %d of %s", listening.getsockname()[1], address.host)
        uvicorn.Server(config).run(sockets=[listening])


def _end(*_: object) -> None:
    """End in order; uvicorn takes the signal first, and hands it on when all is finished."""
    sys.exit(0)

"""From the address of a database to the engines that read and write it."""

import os
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from ..errors import UnusableAddressError
from . import sqlite

POOL = 10
"""Connections to a server that one process may hold open, unless it says otherwise."""

_PSYCOPG = "postgresql+psycopg"
_WAIT = 30
"""Seconds to wait for a connection of the pool, and for a server to answer a new one."""


@dataclass(frozen=True)
class Engines:
    """Two ways into one pool of connections.

    Attributes:
        reader: Its transactions see one state of the database throughout.
        writer: Its transactions may write.
    """

    reader: Engine
    writer: Engine


def address(where: str | os.PathLike[str]) -> URL:
    """The address of a database; a text without a scheme is the path of a SQLite file.

    Raises:
        UnusableAddressError: If it is no address of a database.
    """
    if not isinstance(where, str) or "://" not in where:
        return URL.create("sqlite", database=os.fspath(Path(where).expanduser()))
    try:
        url = make_url(where)
    except ArgumentError as error:
        raise UnusableAddressError(scheme=where.partition("://")[0]) from error
    return url.set(drivername=_PSYCOPG) if url.drivername in {"postgres", "postgresql"} else url


def shown(url: URL) -> str:
    """The address as errors name it: a plain path for a file, and never a password."""
    is_file = url.get_backend_name() == "sqlite" and url.database
    return str(url.database) if is_file else url.render_as_string(hide_password=True)


def connect(url: URL, *, pool: int = POOL) -> Engines:
    """The engines of a database; a SQLite file that is missing is made, for its owner alone.

    Args:
        url: The address.
        pool: The most connections to a server; the threads that want more wait for their turn.

    Raises:
        UnusableAddressError: If the driver that the address names is not installed.
    """
    try:
        if url.get_backend_name() == "sqlite":
            engine = sqlite.open_file(url)
            return Engines(reader=engine, writer=sqlite.taking_the_lock(engine))
        engine = create_engine(
            url, pool_pre_ping=True, pool_size=pool, max_overflow=0, pool_timeout=_WAIT
        )
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise UnusableAddressError(scheme=url.drivername) from error
    reader = engine.execution_options(isolation_level="REPEATABLE READ")
    return Engines(reader=reader, writer=engine)

"""From the address of a database to the engines that read and write it."""

import os
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from ..errors import UnusableAddressError
from . import sqlite


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
        return make_url(where)
    except ArgumentError as error:
        raise UnusableAddressError(scheme=where.partition("://")[0]) from error


def shown(url: URL) -> str:
    """The address as errors name it: a plain path for a file, and never a password."""
    is_file = url.get_backend_name() == "sqlite" and url.database
    return str(url.database) if is_file else url.render_as_string(hide_password=True)


def connect(url: URL) -> Engines:
    """The engines of a database; a SQLite file that is missing is made, for its owner alone.

    Raises:
        UnusableAddressError: If the driver that the address names is not installed.
    """
    try:
        if url.get_backend_name() == "sqlite":
            engine = sqlite.open_file(url)
            return Engines(reader=engine, writer=sqlite.taking_the_lock(engine))
        engine = create_engine(url, pool_pre_ping=True)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise UnusableAddressError(scheme=url.drivername) from error
    reader = engine.execution_options(isolation_level="REPEATABLE READ")
    return Engines(reader=reader, writer=engine)

"""Engines: how to connect, and what is special about SQLite."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event, make_url

from ..errors import NotADatabaseError

_WRITING = "henceforth_writing"


@dataclass(frozen=True)
class Engines:
    """Two ways into one pool of connections.

    Attributes:
        reader: Its transactions see one state of the database throughout.
        writer: Its transactions write; with SQLite they take the write lock when they begin, as
            a lock taken later could only fail.
        where: The address, without a password.
    """

    reader: Engine
    writer: Engine
    where: str


def address(where: str | os.PathLike[str]) -> URL:
    """The address of a database; a text without a scheme is the path of a SQLite file."""
    if isinstance(where, str) and "://" in where:
        return make_url(where)
    return URL.create("sqlite", database=os.fspath(Path(where).expanduser()))


def shown(url: URL) -> str:
    """The address as errors name it: a plain path for a file, and never a password."""
    is_file = url.get_backend_name() == "sqlite" and url.database
    return str(url.database) if is_file else url.render_as_string(hide_password=True)


def connect(url: URL) -> Engines:
    """The engines of a database; a SQLite file that is missing is made, for its owner alone."""
    if url.get_backend_name() != "sqlite":
        engine = create_engine(url, pool_pre_ping=True)
        reader = engine.execution_options(isolation_level="REPEATABLE READ")
        return Engines(reader=reader, writer=engine, where=shown(url))
    _create_private(url)
    engine = create_engine(url, **_one_connection(url))
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    writer = engine.execution_options(**{_WRITING: True})
    return Engines(reader=engine, writer=writer, where=shown(url))


def _in_memory(url: URL) -> bool:
    return url.database in {None, "", ":memory:"}


def _one_connection(url: URL) -> dict[str, Any]:
    """A database in memory lives in its connection: all threads take turns with one."""
    if not _in_memory(url):
        return {}
    turns = {"poolclass": QueuePool, "pool_size": 1, "max_overflow": 0}
    return turns | {"connect_args": {"check_same_thread": False}}


def _create_private(url: URL) -> None:
    if _in_memory(url) or url.query.get("uri"):
        return
    path = Path(str(url.database))
    if path.is_dir():
        raise NotADatabaseError(where=str(path))
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def _on_connect(connection: Any, _record: object) -> None:
    """Begin transactions ourselves: the driver would begin none before a read."""
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA synchronous = FULL")


def _on_begin(connection: Connection) -> None:
    writing = connection.get_execution_options().get(_WRITING)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def let_readers_read(engine: Engine) -> None:
    """Turn on SQLite's write-ahead log: readers do not wait for a writer."""
    _pragma(engine, "journal_mode = WAL")


def scrub(engine: Engine) -> bool:
    """Empty SQLite's write-ahead log, so that what was deleted is in no file.

    Returns:
        Whether it is empty; not so while another process reads for longer than the timeout.
    """
    return not _pragma(engine, "wal_checkpoint(TRUNCATE)")


def _pragma(engine: Engine, pragma: str) -> Any:
    """The first value of a pragma that must run outside a transaction; None with no SQLite."""
    if engine.dialect.name != "sqlite":
        return None
    raw = engine.raw_connection()
    try:
        return raw.cursor().execute(f"PRAGMA {pragma}").fetchone()[0]
    finally:
        raw.close()

"""What is special about SQLite: a private file, its pragmas, and how deleted text leaves it."""

import os
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event

from ..errors import NotADatabaseError

_BEGIN = "henceforth_begin"


def is_sqlite(engine: Engine | Connection) -> bool:
    """Whether the database is SQLite."""
    return engine.dialect.name == "sqlite"


def open_file(url: URL) -> Engine:
    """The engine of a SQLite database; a missing file is made, for its owner alone."""
    _create_private(url)
    engine = create_engine(url, **_one_connection(url))
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


def taking_the_lock(engine: Engine) -> Engine:
    """The engine with transactions that write: a lock taken later than their begin could fail."""
    return engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})


def let_readers_read(engine: Engine) -> None:
    """Turn on the write-ahead log: readers do not wait for a writer."""
    if is_sqlite(engine):
        with _no_transaction(engine) as connection:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")


def owe_scrub(connection: Connection) -> None:
    """Count, in the transaction that deletes text, that the file still has to be scrubbed."""
    if is_sqlite(connection):
        owed = _value(connection, "user_version")
        connection.exec_driver_sql(f"PRAGMA user_version = {owed + 1}")


def scrub(engine: Engine) -> bool:
    """Rewrite the file and empty its log where text was deleted since the last time.

    `secure_delete` clears what is deleted, but not the copies that SQLite leaves in the gaps of
    pages when it moves rows about: only a rewritten file is sure to hold none.

    Returns:
        Whether the files are clean; not so while a reader keeps the log for longer than the
        timeout.
    """
    if not is_sqlite(engine):
        return True
    with _no_transaction(engine) as connection:
        owed = _value(connection, "user_version")
        if not owed:
            return True
        connection.exec_driver_sql("VACUUM")
        if _value(connection, "wal_checkpoint(TRUNCATE)"):
            return False
    with taking_the_lock(engine).begin() as connection:
        if _value(connection, "user_version") == owed:  # else text was deleted meanwhile
            connection.exec_driver_sql("PRAGMA user_version = 0")
    return True


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
    begin = connection.get_execution_options().get(_BEGIN, "BEGIN")
    if begin:
        connection.exec_driver_sql(begin)


def _no_transaction(engine: Engine) -> Connection:
    return engine.execution_options(**{_BEGIN: ""}).connect()


def _value(connection: Connection, pragma: str) -> int:
    return int(connection.exec_driver_sql(f"PRAGMA {pragma}").scalar_one())

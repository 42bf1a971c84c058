"""Brings a database to today's tables, or refuses one that it must not touch."""

from pathlib import Path
from threading import Lock

from sqlalchemy import Connection, Engine, func, inspect, select

from ..errors import NewerDatabaseError, NotADatabaseError
from .tables import REVISION, metadata, revision

MIGRATIONS = Path(__file__).parent / "migrations"
"""Numbered migrations, shipped with the package; a published one is never edited."""

_LOCK = 0x68656E6365
"""What migrating processes wait for, one after the other; the number means nothing."""

_one_at_a_time = Lock()
"""Alembic keeps the migration it runs in a global of its module."""


def is_up_to_date(connection: Connection, *, where: str) -> bool:
    """Whether the tables are today's; an empty database and an older one are not.

    Raises:
        NewerDatabaseError: If a newer henceforth made the tables.
        NotADatabaseError: If the tables are those of another program.
    """
    names = inspect(connection)
    if not names.has_table(revision.name):
        _refuse_foreign(connection, set(names.get_table_names()), where=where)
        return False
    found = connection.scalar(select(revision.c.version_num))
    if found is not None and found > REVISION:
        raise NewerDatabaseError(where=where, found=found, known=REVISION)
    return found == REVISION


def _refuse_foreign(connection: Connection, tables: set[str], *, where: str) -> None:
    """A file is ours alone; a database server may hold others' tables beside ours."""
    ours = tables & metadata.tables.keys()
    if ours or (tables and connection.dialect.name == "sqlite"):
        raise NotADatabaseError(where=where)


def _one_process_at_a_time(connection: Connection) -> None:
    """Let other processes wait that want to migrate; SQLite has let only this one begin."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))


def migrate(writer: Engine, *, where: str) -> None:
    """Run the migrations that are missing, all in one transaction."""
    from alembic import command  # slow to import, and needed once a database and release
    from alembic.config import Config

    with _one_at_a_time, writer.begin() as connection:
        _one_process_at_a_time(connection)
        if is_up_to_date(connection, where=where):
            return  # another process was first
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.attributes.update(connection=connection, version_table=revision.name)
        command.upgrade(config, "head")

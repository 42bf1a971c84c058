"""Labels that are paid for, by what they depend on: a SQLite file that any run may share."""

import os
import sqlite3
from pathlib import Path
from typing import Self

from ...schemas.base import Shape
from ...schemas.outcome import Labelled
from ..errors import StoreUnavailableError, Unavailable
from ..stores.records import RecordType

_PATIENCE = 60.0
"""Seconds to wait while another process writes."""

_TABLE = """
CREATE TABLE IF NOT EXISTS labels (key BLOB PRIMARY KEY, labels TEXT NOT NULL) WITHOUT ROWID
"""


class Cached(Shape):
    """What is known of a turn with a certain key."""

    labelled: Labelled
    language: str | None = None


CACHED: RecordType[Cached] = RecordType("cached label", Cached)


class LabelCache:
    """Keeps what labelling a turn gave; what `put` took is there after a `kill -9`.

    Like a label file it holds quotes, so the file is its owner's alone.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, or make it.

        Raises:
            StoreUnavailableError: If it cannot be opened, or is something else.
        """
        self.path = path
        try:
            if not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            self._db = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute(_TABLE)
        except (OSError, sqlite3.Error) as error:
            raise StoreUnavailableError(where=str(path), why=_why(error)) from error

    def __enter__(self) -> Self:
        """The cache itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._db.close()

    def get(self, key: bytes) -> Cached | None:
        """What is kept under the key.

        Raises:
            DamagedStoreError: If what is kept cannot be read.
        """
        row = self._db.execute("SELECT labels FROM labels WHERE key = ?", (key,)).fetchone()
        return row and CACHED.load(row[0], where=str(self.path))

    def put(self, key: bytes, cached: Cached) -> None:
        """Keep it; when this returns, it is kept.

        Raises:
            StoreUnavailableError: If the disk is full, or another process holds the file.
        """
        try:
            self._db.execute(
                "INSERT OR REPLACE INTO labels VALUES (?, ?)", (key, CACHED.dump(cached))
            )
        except sqlite3.Error as error:
            raise StoreUnavailableError(where=str(self.path), why=_why(error)) from error

    def __len__(self) -> int:
        """How many turns are kept."""
        return int(self._db.execute("SELECT count(*) FROM labels").fetchone()[0])


def _why(error: Exception) -> Unavailable:
    """What is in the way, as far as SQLite or the system tells."""
    text = str(error)
    if isinstance(error, FileNotFoundError):
        return Unavailable.MISSING
    if isinstance(error, PermissionError):
        return Unavailable.DENIED
    if "full" in text:
        return Unavailable.FULL
    return Unavailable.LOCKED if "locked" in text else Unavailable.UNREACHABLE

"""What the database driver reports, as the errors of henceforth."""

import errno
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from ..errors import NotADatabaseError, StoreError, StoreUnavailableError, Unavailable

_SQLITE: Mapping[str, Unavailable] = {
    "SQLITE_READONLY": Unavailable.READ_ONLY,
    "SQLITE_FULL": Unavailable.FULL,
    "SQLITE_BUSY": Unavailable.LOCKED,
    "SQLITE_LOCKED": Unavailable.LOCKED,
    "SQLITE_PERM": Unavailable.DENIED,
    "SQLITE_AUTH": Unavailable.DENIED,
}
"""By primary result code; an extended one begins with it."""

_NOT_OURS = ("SQLITE_NOTADB", "SQLITE_CORRUPT")

_SQLSTATE: Mapping[str, Unavailable] = {
    "25006": Unavailable.READ_ONLY,
    "53100": Unavailable.FULL,
    "55P03": Unavailable.LOCKED,
    "40P01": Unavailable.LOCKED,
    "42501": Unavailable.DENIED,
    "28P01": Unavailable.DENIED,
    "28000": Unavailable.DENIED,
}
"""By the code of the SQL standard, which PostgreSQL's drivers give."""

_ERRNO: Mapping[int, Unavailable] = {
    errno.ENOENT: Unavailable.MISSING,
    errno.ENOTDIR: Unavailable.MISSING,
    errno.EACCES: Unavailable.DENIED,
    errno.EPERM: Unavailable.DENIED,
    errno.EROFS: Unavailable.READ_ONLY,
    errno.ENOSPC: Unavailable.FULL,
    errno.EDQUOT: Unavailable.FULL,
}


@contextmanager
def as_our_errors(where: str) -> Generator[None, None, None]:
    """Let no error of the driver, the pool or the file system out as it is."""
    try:
        yield
    except DBAPIError as error:
        raise _of_driver(error, where) from error
    except PoolTimeoutError as error:
        raise StoreUnavailableError(where=where, why=Unavailable.LOCKED) from error
    except SQLAlchemyError as error:
        raise StoreUnavailableError(where=where, why=Unavailable.UNREACHABLE) from error
    except OSError as error:
        why = _ERRNO.get(error.errno or 0, Unavailable.UNREACHABLE)
        raise StoreUnavailableError(where=where, why=why) from error


def _of_driver(error: DBAPIError, where: str) -> StoreError:
    name = str(getattr(error.orig, "sqlite_errorname", ""))
    if name.startswith(_NOT_OURS):
        return NotADatabaseError(where=where)
    code = str(getattr(error.orig, "sqlstate", ""))
    causes = [why for known, why in _SQLITE.items() if name.startswith(known)]
    causes += [_SQLSTATE[code]] if code in _SQLSTATE else []
    return StoreUnavailableError(where=where, why=[*causes, Unavailable.UNREACHABLE][0])

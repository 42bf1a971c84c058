"""Every error that henceforth raises on purpose.

Each says what was tried, what became of the turn or the data, and what to do; the numbers and
names it speaks of are attributes. A fault of a lower layer is always the cause (`__cause__`).

    HenceforthError
    ├── UsageError                  the call is wrong: change the call; nothing was done
    │   └── UnusableIdError         an id that no store can keep
    └── FailureError                the call is right and the world failed
        └── StoreError              the store
            ├── StaleVersionError       somebody else wrote first: read again, then try again
            ├── StoreUnavailableError   read-only, full, locked, missing, unreachable: see `why`
            ├── NewerDatabaseError      written by a newer henceforth: upgrade
            ├── NotADatabaseError       not a database of henceforth: name another file
            └── DamagedStoreError       a record cannot be read: restore it from a copy
"""

from enum import StrEnum

from ..schemas.ids import SubjectId


class HenceforthError(Exception):
    """Any error that henceforth raises on purpose."""


class UsageError(HenceforthError, ValueError):
    """The call is wrong, whatever the state of the world: nothing was done."""


class FailureError(HenceforthError):
    """The call is right; something outside of it failed, or somebody else was first."""


# --- The caller's mistakes --------------------------------------------------


class UnusableIdError(UsageError):
    """An id that no store can keep: empty, or not plain Unicode text."""

    def __init__(self, *, id: str) -> None:
        super().__init__(
            f"{id!r} cannot be used as an id: an id is non-empty Unicode text without NUL "
            "characters and without lone surrogates. Nothing was read or written."
        )
        self.id = id


# --- The store --------------------------------------------------------------


class StoreError(FailureError):
    """The store could not do what was asked."""


class StaleVersionError(StoreError):
    """Somebody else wrote to the subject after it was read; nothing was written.

    Attributes:
        expected: The version the write was made for.
        found: The version the subject is at.
    """

    def __init__(self, *, subject: SubjectId, expected: int, found: int) -> None:
        super().__init__(
            f"subject {subject!r} was read at version {expected} and is at version {found} now. "
            "Nothing was written: read it again, and make the write anew."
        )
        self.subject, self.expected, self.found = subject, expected, found


class Unavailable(StrEnum):
    """Why a store cannot be used just now."""

    READ_ONLY = "it can only be read"
    FULL = "the disk, or the quota, is full"
    LOCKED = "another process holds its lock"
    MISSING = "its folder does not exist"
    DENIED = "access is denied"
    UNREACHABLE = "it cannot be reached, or reading and writing fails"


class StoreUnavailableError(StoreError):
    """The database cannot be opened, read or written just now; nothing was written.

    Attributes:
        where: The address of the database, without a password.
        why: What is in the way.
    """

    def __init__(self, *, where: str, why: Unavailable) -> None:
        super().__init__(
            f"the store {where!r} cannot be used: {why.value}. Nothing was written, and what was "
            "kept before is as it was; the same call can be made again."
        )
        self.where, self.why = where, why


class NewerDatabaseError(StoreError):
    """The database, or a record in it, was written by a newer henceforth; it was left as it is.

    Attributes:
        found: The revision or record version that is there.
        known: The latest one that this henceforth reads.
    """

    def __init__(self, *, where: str, found: str, known: str) -> None:
        super().__init__(
            f"the store {where!r} is at {found!r} and this henceforth reads up to {known!r}: "
            "upgrade henceforth. Nothing was changed."
        )
        self.where, self.found, self.known = where, found, known


class NotADatabaseError(StoreError):
    """What is there is no database, or the database of another program; it was left as it is."""

    def __init__(self, *, where: str) -> None:
        super().__init__(
            f"{where!r} is not a database of henceforth: it belongs to something else, or it is "
            "damaged. Nothing was changed; name another file, or restore this one from a copy."
        )
        self.where = where


class DamagedStoreError(StoreError):
    """A record of the subject does not have the shape it must have; nothing was changed."""

    def __init__(self, *, where: str, record: str) -> None:
        super().__init__(
            f"the store {where!r} holds a {record} that cannot be read: it was changed by hand, or "
            "damaged. Nothing was changed; see the cause, and restore the database from a copy."
        )
        self.where, self.record = where, record

"""A store in a SQL database: a SQLite file, or PostgreSQL for many workers."""

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime

from sqlalchemy import Connection, delete, select

from ...schemas.ids import SubjectId, TurnId
from ...schemas.ledger import LedgerEntry, TurnEntry
from ..errors import NotScrubbedError, NotWaitingError, StoreUnavailableError
from . import sqlite, statements
from .engines import POOL, address, connect, shown
from .faults import as_our_errors
from .migrate import is_up_to_date, migrate
from .protocol import PendingTurn, Recorded, Snapshot, Write
from .records import ENTRY, HEAD, PENDING, PLAN, QUESTION, RULE, check_ids, oldest_first
from .tables import ledger, pending, questions, rules, subjects
from .writes import drops_text, ids_of


class SqlStore:
    """Keeps ledgers and projections in a database; safe to share between threads.

    Several processes may use one database: a write made for a version that is gone is refused.
    What is deleted or redacted is gone from a SQLite file and from its log, too.
    """

    def __init__(self, where: str | os.PathLike[str], *, pool: int = POOL) -> None:
        """Open the database; make or migrate its tables where that is needed.

        Args:
            where: The path of a SQLite file, or a URL: `postgresql://user@host/database`.
            pool: The most connections to a server that this process may hold open.

        Raises:
            UnusableAddressError: If `where` names no database.
            StoreUnavailableError: If it cannot be opened.
            NewerDatabaseError: If a newer henceforth made it; it is left as it is.
            NotADatabaseError: If it is something else; it is left as it is.
        """
        url = address(where)
        self.where = shown(url)
        with as_our_errors(self.where):
            self._engines = connect(url, pool=pool)
            try:
                self._prepare()
            except BaseException:
                self.close()
                raise

    def read(self, subject: SubjectId) -> Snapshot:
        """The rules and questions of the subject; the empty snapshot for an unknown one."""
        check_ids([subject])
        with self.reading() as connection:
            row = connection.execute(statements.SUBJECT, {"of": subject}).first()
            if row is None:
                return Snapshot()
            kept = connection.scalars(statements.RULES, {"of": subject}).all()
            asked = connection.scalars(statements.QUESTIONS, {"of": subject}).all()
        return Snapshot(
            version=row.version,
            rules=tuple(RULE.load(text, where=self.where) for text in kept),
            questions=tuple(QUESTION.load(text, where=self.where) for text in asked),
            head=row.head and HEAD.load(row.head, where=self.where),
        )

    def ledger(self, subject: SubjectId) -> Sequence[Recorded]:
        """All ledger rows in arrival order."""
        check_ids([subject])
        with self.reading() as connection:
            rows = connection.execute(statements.LEDGER, {"of": subject}).all()
        return tuple(
            Recorded(
                seq=row.seq,
                entry=self._entry(row.entry),
                plan=row.plan and PLAN.load(row.plan, where=self.where),
            )
            for row in rows
        )

    def seen(self, subject: SubjectId, turn: TurnId) -> TurnEntry | None:
        """The latest entry of the turn id, or None when it was never labelled."""
        check_ids([subject, turn])
        with self.reading() as connection:
            text = connection.scalar(statements.SEEN, {"of": subject, "turn": turn})
        entry = None if text is None else self._entry(text)
        return entry if isinstance(entry, TurnEntry) else None

    def commit(self, subject: SubjectId, write: Write, *, version: int) -> int:
        """Write all of it, or nothing, and return the new version.

        Raises:
            StaleVersionError: If the subject is no longer at `version`; nothing was written.
            UnknownRowError: If a row is to be rewritten that is not there; nothing was written.
            StoreUnavailableError: If the database cannot be written; nothing was written.
        """
        check_ids([subject, *ids_of(write)])
        with self.writing() as connection:
            statements.claim(connection, subject, write.head, version=version)
            statements.rewrite(connection, subject, write.rewritten)
            statements.append(connection, subject, write.entries)
            statements.put_rules(connection, subject, write)
            statements.put_questions(connection, subject, write.questions)
            waited = statements.no_longer_pending(connection, subject, write.labelled)
            if write.if_waiting and not waited:
                raise NotWaitingError(subject=subject, turns=write.labelled)
            drops = waited or drops_text(write)
            if drops:
                sqlite.owe_scrub(connection)
        if drops:
            with suppress(StoreUnavailableError):  # the write stands; the scrub stays owed
                self._scrub()
        return version + 1

    def add_pending(self, pending: PendingTurn) -> None:
        """Keep a turn that could not be labelled; the same turn id replaces its last try."""
        check_ids([pending.subject, pending.turn.id])
        with self.writing() as connection:
            statements.put_pending(connection, pending)

    def put_back(self, pending: PendingTurn) -> bool:
        """Replace the last try of a turn that still waits; False, and nothing written, if not."""
        with self.writing() as connection:
            return statements.put_back(connection, pending)

    def pending(self, subject: SubjectId | None = None) -> Sequence[PendingTurn]:
        """The turns that wait, oldest first; without a subject those of all."""
        asked = select(pending.c.pending)
        if subject is not None:
            check_ids([subject])
            asked = asked.where(pending.c.subject == subject)
        with self.reading() as connection:
            kept = connection.scalars(asked).all()
        return oldest_first(PENDING.load(text, where=self.where) for text in kept)

    def lease(self, *, now: datetime, until: datetime, limit: int) -> Sequence[PendingTurn]:
        """Take turns of any subject that are due, for one worker alone until the time given."""
        with self.writing() as connection:
            texts = statements.due(connection, now, limit)
            waiting = oldest_first(PENDING.load(text, where=self.where) for text in texts)
            taken = [each.model_copy(update={"due": until}) for each in waiting]
            for each in taken:
                statements.put_pending(connection, each)
        return tuple(taken)

    def subjects(self) -> Sequence[SubjectId]:
        """All subjects with a ledger, sorted."""
        with self.reading() as connection:
            return tuple(sorted(connection.scalars(select(subjects.c.subject)).all()))

    def erase(self, subject: SubjectId) -> None:
        """Remove every row of the subject, pending turns too. There is no undo.

        Raises:
            StoreUnavailableError: If the database cannot be written; nothing was removed.
            NotScrubbedError: If all rows are removed, and their bytes are still in the file.
        """
        check_ids([subject])
        with self.writing() as connection:
            statements.lock(connection, subject)
            for table in (pending, questions, rules, ledger, subjects):
                connection.execute(delete(table).where(table.c.subject == subject))
            sqlite.owe_scrub(connection)
        try:
            clean = self._scrub()
        except StoreUnavailableError as error:
            raise NotScrubbedError(where=self.where, subject=subject) from error
        if not clean:
            raise NotScrubbedError(where=self.where, subject=subject)

    def close(self) -> None:
        """Give back all connections."""
        self._engines.reader.dispose()

    def _prepare(self) -> None:
        with self._engines.reader.begin() as connection:
            ready = is_up_to_date(connection, where=self.where)
        if not ready:
            sqlite.let_readers_read(self._engines.writer)
            migrate(self._engines.writer, where=self.where)
        with suppress(StoreUnavailableError):  # it can still be read
            self._scrub()

    def _scrub(self) -> bool:
        with as_our_errors(self.where):
            return sqlite.scrub(self._engines.writer)

    def _entry(self, text: str) -> LedgerEntry:
        return ENTRY.load(text, where=self.where)

    @contextmanager
    def reading(self) -> Generator[Connection, None, None]:
        """A connection that sees one state of the database throughout; faults are our errors."""
        with as_our_errors(self.where), self._engines.reader.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Generator[Connection, None, None]:
        """A connection whose statements are written all or not at all; faults are our errors."""
        with as_our_errors(self.where), self._engines.writer.begin() as connection:
            yield connection

"""The statements of the SQL store: each names its subject, so none can reach another."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import (
    BindParameter,
    Connection,
    Table,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from ...schemas.ids import SubjectId, TurnId
from ...schemas.ledger import LedgerEntry
from ...schemas.plan import Plan, Question
from ...schemas.rule import Rule
from ..errors import StaleVersionError, UnknownRowError
from .protocol import PendingTurn, Position, Recorded, Write
from .records import ENTRY, HEAD, PENDING, PLAN, QUESTION, RULE
from .tables import ledger, pending, questions, rules, subjects
from .writes import turn_of

_OF: BindParameter[str] = bindparam("of")

SUBJECT = select(subjects.c.version, subjects.c.head).where(subjects.c.subject == _OF)
RULES = select(rules.c.rule).where(rules.c.subject == _OF).order_by(rules.c.position)
QUESTIONS = (
    select(questions.c.question).where(questions.c.subject == _OF).order_by(questions.c.position)
)
LEDGER = (
    select(ledger.c.seq, ledger.c.entry, ledger.c.plan)
    .where(ledger.c.subject == _OF)
    .order_by(ledger.c.seq)
)
SEEN = (
    select(ledger.c.entry)
    .where(ledger.c.subject == _OF, ledger.c.turn == bindparam("turn"))
    .order_by(ledger.c.seq.desc())
    .limit(1)
)


def lock(connection: Connection, subject: SubjectId) -> None:
    """Keep other writers of the subject waiting, also where nobody has written it yet."""
    row = _upsert(connection, subjects).values(subject=subject, version=0)
    connection.execute(
        row.on_conflict_do_update(
            index_elements=["subject"], set_={"version": subjects.c.version + 0}
        )
    )


def claim(
    connection: Connection, subject: SubjectId, head: Position | None, *, version: int
) -> None:
    """Take the next version of the subject, for one writer only.

    Raises:
        StaleVersionError: If another writer took it.
    """
    row = {"version": version + 1, "head": HEAD.dump(head) if head else None}
    if not (_claim_next if version else _claim_first)(connection, subject, version, row):
        found = connection.execute(SUBJECT, {"of": subject}).first()
        raise StaleVersionError(
            subject=subject, expected=version, found=found.version if found else 0
        )


def _claim_next(
    connection: Connection, subject: SubjectId, version: int, row: Mapping[str, object]
) -> bool:
    at = (subjects.c.subject == subject, subjects.c.version == version)
    return connection.execute(update(subjects).where(*at).values(row)).rowcount == 1


def _claim_first(
    connection: Connection, subject: SubjectId, _version: int, row: Mapping[str, object]
) -> bool:
    try:
        with connection.begin_nested():
            connection.execute(insert(subjects).values(subject=subject, **row))
    except IntegrityError:
        return False
    return True


def rewrite(connection: Connection, subject: SubjectId, rows: Mapping[int, Recorded]) -> None:
    """Put redacted rows in the place of those with their numbers.

    Raises:
        UnknownRowError: If there is no row with the number.
    """
    for seq, row in rows.items():
        at = (ledger.c.subject == subject, ledger.c.seq == seq)
        changed = connection.execute(
            update(ledger).where(*at).values(_ledger_row(row.entry, row.plan))
        )
        if changed.rowcount != 1:
            raise UnknownRowError(subject=subject, seq=seq)


def append(
    connection: Connection,
    subject: SubjectId,
    entries: Sequence[tuple[LedgerEntry, Plan | None]],
) -> None:
    """Add ledger rows after the last one."""
    if not entries:
        return
    first = _next(connection, ledger, "seq", subject)
    rows = [
        {"subject": subject, "seq": seq, **_ledger_row(entry, plan)}
        for seq, (entry, plan) in enumerate(entries, start=first)
    ]
    connection.execute(insert(ledger), rows)


def _ledger_row(entry: LedgerEntry, plan: Plan | None) -> dict[str, str | None]:
    return {
        "turn": turn_of(entry),
        "entry": ENTRY.dump(entry),
        "plan": PLAN.dump(plan) if plan else None,
    }


def put_rules(connection: Connection, subject: SubjectId, write: Write) -> None:
    """Remove and write rules; a rule that is there already keeps its place."""
    for rule in write.removed:
        connection.execute(delete(rules).where(rules.c.subject == subject, rules.c.id == rule))
    last_of_each = {rule.id: rule for rule in write.rules}.values()
    new = [rule for rule in last_of_each if not _replaced(connection, subject, rule)]
    if new:
        first = _next(connection, rules, "position", subject)
        rows = [
            {"subject": subject, "id": rule.id, "position": position, "rule": RULE.dump(rule)}
            for position, rule in enumerate(new, start=first)
        ]
        connection.execute(insert(rules), rows)


def _replaced(connection: Connection, subject: SubjectId, rule: Rule) -> bool:
    at = (rules.c.subject == subject, rules.c.id == rule.id)
    return connection.execute(update(rules).where(*at).values(rule=RULE.dump(rule))).rowcount == 1


def put_questions(connection: Connection, subject: SubjectId, asked: Sequence[Question]) -> None:
    """Replace the open questions as a whole."""
    connection.execute(delete(questions).where(questions.c.subject == subject))
    rows = [
        {"subject": subject, "position": position, "question": QUESTION.dump(question)}
        for position, question in enumerate(asked, start=1)
    ]
    if rows:
        connection.execute(insert(questions), rows)


def put_pending(connection: Connection, waiting: PendingTurn) -> None:
    """Keep a turn that waits, in the place of its last try."""
    kept = _queued(waiting)
    row = _upsert(connection, pending).values(subject=waiting.subject, turn=waiting.turn.id, **kept)
    connection.execute(row.on_conflict_do_update(index_elements=["subject", "turn"], set_=kept))


def put_back(connection: Connection, waiting: PendingTurn) -> bool:
    """Replace the last try of a turn, unless it no longer waits."""
    at = (pending.c.subject == waiting.subject, pending.c.turn == waiting.turn.id)
    return connection.execute(update(pending).where(*at).values(_queued(waiting))).rowcount == 1


def _queued(waiting: PendingTurn) -> dict[str, object]:
    due = _milliseconds(waiting.due) if waiting.due else 0
    return {"pending": PENDING.dump(waiting), "due": due, "dead": waiting.dead}


def due(connection: Connection, now: datetime, limit: int) -> Sequence[str]:
    """Turns that may be tried now; what another worker takes at this moment is passed over."""
    return connection.scalars(
        select(pending.c.pending)
        .where(pending.c.dead.is_(False), pending.c.due <= _milliseconds(now))
        .order_by(pending.c.due)
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()


def _milliseconds(time: datetime) -> int:
    return int(time.timestamp() * 1000)


def no_longer_pending(
    connection: Connection, subject: SubjectId, labelled: Sequence[TurnId]
) -> bool:
    """Drop turns that are labelled now, with their text; whether any had been waiting."""
    dropped = 0
    for turn in labelled:
        at = (pending.c.subject == subject, pending.c.turn == turn)
        dropped += connection.execute(delete(pending).where(*at)).rowcount
    return dropped > 0


def _upsert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    is_server = connection.dialect.name == "postgresql"
    return postgresql.insert(table) if is_server else sqlite.insert(table)


def _next(connection: Connection, table: Table, column: str, subject: SubjectId) -> int:
    last = select(func.max(table.c[column])).where(table.c.subject == subject)
    return (connection.scalar(last) or 0) + 1

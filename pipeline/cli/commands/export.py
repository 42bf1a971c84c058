"""`henceforth export`: all that is kept of a subject."""

from collections.abc import Iterator
from typing import Any

import click
from anyio import to_thread

from ....schemas.versions import stamped
from ...session import Session
from ...stores.protocol import PendingTurn, Recorded, Snapshot
from ..opened import look
from ..options import Where, where_options
from ..output import print_json
from ..plain import as_json


@click.command("export")
@where_options
def command(where: Where) -> None:
    """Write all that is kept of a subject as JSON lines: ledger, rules, questions, pending turns.

    Each line names its `record` and the schema version. With --json it is one document.
    """
    subject, kept, rows, waiting = look(where, _all)
    records = list(_records(kept, rows, waiting))
    if where.as_json:
        listed = {kind: [body for each, body in records if each == kind] for kind in _RECORDS}
        print_json({"subject": subject, "version": kept.version, **listed})
        return
    for kind, body in records:
        print(as_json(stamped({"record": kind, "subject": subject, **body}), indent=None))


_RECORDS = ("ledger", "rule", "question", "pending")

_Kept = tuple[str, Snapshot, "list[Recorded]", "list[PendingTurn]"]


async def _all(session: Session) -> _Kept:
    kept = await to_thread.run_sync(session.store.read, session.subject)
    rows = await to_thread.run_sync(session.store.ledger, session.subject)
    return session.subject, kept, list(rows), list(await session.pending())


def _records(
    kept: Snapshot, rows: list[Recorded], waiting: list[PendingTurn]
) -> Iterator[tuple[str, dict[str, Any]]]:
    for row in rows:
        yield "ledger", row.model_dump(mode="json")
    for rule in kept.rules:
        yield "rule", rule.model_dump(mode="json")
    for question in kept.questions:
        yield "question", question.model_dump(mode="json")
    for turn in waiting:
        yield "pending", turn.model_dump(mode="json", exclude={"subject"})

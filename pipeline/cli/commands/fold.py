"""`henceforth fold`: rebuild the rules from the ledger and compare with what is kept."""

from typing import Any

import click
from anyio import to_thread

from ...core.fold import Folded
from ...keeper import Keeper
from ...session import Session
from ...stores.protocol import Snapshot
from ..exits import Exit
from ..opened import look
from ..options import Where, where_options
from ..output import print_json, show
from ..views.folded import folded_view


@click.command("fold")
@where_options
def command(where: Where) -> int:
    """Rebuild the rules from the ledger and compare. Nothing is written.

    The exit code is 1 where the rules or questions that are kept are not what the ledger gives.
    """
    kept, folded = look(where, _both)
    differing = _differing(kept, folded)
    equal = not differing and kept.questions == folded.questions and kept.head == folded.head
    if where.as_json:
        print_json({"equal": equal, "rules": len(folded.rules), "differing": differing})
    else:
        show(*folded_view(equal, len(folded.rules), differing))
    return Exit.OK if equal else Exit.PARTLY


async def _both(session: Session) -> tuple[Snapshot, Folded]:
    keeper = Keeper(session.store, session.registry, signals=session.settings.signals)
    kept = await to_thread.run_sync(session.store.read, session.subject)
    rows = await to_thread.run_sync(session.store.ledger, session.subject)
    return kept, await to_thread.run_sync(keeper.fold, rows)


def _differing(kept: Snapshot, folded: Folded) -> list[dict[str, Any]]:
    """Each rule that is not the same, as it is kept and as the ledger gives it."""
    stored = {rule.id: rule for rule in kept.rules}
    rebuilt = {rule.id: rule for rule in folded.rules}
    return [
        {
            "rule": each,
            "kept": stored[each].model_dump(mode="json") if each in stored else None,
            "folded": rebuilt[each].model_dump(mode="json") if each in rebuilt else None,
        }
        for each in dict.fromkeys([*stored, *rebuilt])
        if stored.get(each) != rebuilt.get(each)
    ]

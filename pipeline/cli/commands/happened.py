"""`henceforth happened`: an event came about that rules wait for."""

import click

from ....schemas.outcome import Outcome
from ...session import Session
from ..opened import change
from ..options import Where, where_options
from ..telling import tell


@click.command("happened")
@click.argument("event")
@where_options
def command(event: str, where: Where) -> int:
    """Tell that an event came about that rules wait for: those rules end.

    EVENT is in the words of their `until`; `henceforth rules` shows them.
    """

    async def work(session: Session) -> Outcome:
        return await session.happened(event)

    return tell(change(where, work, make=True), as_json=where.as_json)

"""`henceforth diff`: the saved state before and after a turn."""

import click

from ....schemas.history import Difference
from ...session import Session
from ..ids import turn_of
from ..opened import look
from ..options import Where, where_options
from ..output import print_json, show
from ..views.difference import difference_view


@click.command("diff")
@click.argument("turn")
@where_options
def command(turn: str, where: Where) -> None:
    """Show the saved state before and after a turn.

    TURN is its id, or the first characters of it.
    """

    async def work(session: Session) -> Difference:
        return await session.difference(await turn_of(session, turn))

    found = look(where, work)
    if where.as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show(*difference_view(found))

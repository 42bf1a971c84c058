"""`henceforth undo`: make a turn count as never said."""

import click

from ....schemas.outcome import Outcome
from ...session import Session
from ..ids import turn_of
from ..opened import change
from ..options import Where, where_options
from ..telling import tell


@click.command("undo")
@click.argument("turn", required=False)
@where_options
def command(turn: str | None, where: Where) -> int:
    """Make a turn count as never said.

    TURN is its id, or the first characters of it; without one it is the turn said last.
    """

    async def work(session: Session) -> Outcome:
        return await session.undo(await turn_of(session, turn) if turn else None)

    return tell(change(where, work), as_json=where.as_json)

"""`henceforth confirm`: a word of the user on one rule, by its id."""

import click

from ....schemas.outcome import Outcome
from ...session import Session
from ..ids import rule_of
from ..opened import change
from ..options import Where, where_options
from ..telling import tell


@click.command("confirm")
@click.argument("rule")
@where_options
def command(rule: str, where: Where) -> int:
    """Put a proposed rule in force on the user's word.

    RULE is its id, or the first characters of it.
    """

    async def work(session: Session) -> Outcome:
        return await session.confirm(await rule_of(session, rule))

    return tell(change(where, work), as_json=where.as_json)

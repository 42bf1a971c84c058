"""`henceforth explain`: why a rule is as it is."""

import click

from ....schemas.history import Explanation
from ...session import Session
from ..ids import rule_of
from ..opened import look
from ..options import Where, where_options
from ..output import print_json, show
from ..views.explanation import explanation_view


@click.command("explain")
@click.argument("rule")
@where_options
def command(rule: str, where: Where) -> None:
    """Say why a rule is as it is: what brought it, what it replaced, what ended it.

    RULE is its id, or the first characters of it.
    """

    async def work(session: Session) -> Explanation:
        return await session.explain(await rule_of(session, rule))

    found = look(where, work)
    if where.as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show(*explanation_view(found))

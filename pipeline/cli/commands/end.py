"""`henceforth end`: a task or a conversation is over."""

import click

from ....schemas.outcome import Outcome
from ...session import Session
from ..opened import change
from ..options import Where, where_options
from ..telling import tell


@click.command("end")
@click.option("--conversation", required=True, metavar="ID", help="The conversation.")
@click.option("--task", metavar="ID", help="Only this task of it.")
@where_options
def command(where: Where, conversation: str, task: str | None) -> int:
    """End a task or a conversation, and its rules for now."""

    async def work(session: Session) -> Outcome:
        return await session.end(conversation=conversation, task=task)

    return tell(change(where, work, make=True), as_json=where.as_json)

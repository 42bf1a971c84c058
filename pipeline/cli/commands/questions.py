"""`henceforth questions`: what only the user can say."""

import click
from anyio import to_thread

from ...session import Session
from ...stores.protocol import Snapshot
from ..opened import look
from ..options import Where, where_options
from ..output import print_json, show
from ..views.questions import open_questions


@click.command("questions")
@where_options
def command(where: Where) -> None:
    """List what only the user can say; `henceforth answer` settles it."""

    async def work(session: Session) -> Snapshot:
        return await to_thread.run_sync(session.store.read, session.subject)

    kept = look(where, work)
    if where.as_json:
        print_json({"questions": [each.model_dump(mode="json") for each in kept.questions]})
    else:
        show(*open_questions(kept.questions, kept.rules))

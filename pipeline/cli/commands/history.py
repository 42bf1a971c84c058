"""`henceforth history`: what was said and what it changed, in said order."""

import click

from ...session import Session
from ..opened import look
from ..options import Where, where_options
from ..output import print_json, show
from ..views.history import history_view


@click.command("history")
@click.option(
    "--last", type=click.IntRange(min=1), metavar="N", help="Only the last so many entries."
)
@where_options
def command(where: Where, last: int | None) -> None:
    """Show what was said and what it changed, in the order it was said."""
    told = look(where, Session.history)
    told = told[-last:] if last else told
    if where.as_json:
        print_json({"history": [each.model_dump(mode="json") for each in told]})
    else:
        show(*history_view(told))

"""`henceforth label`: what a text says; nothing is kept."""

from pathlib import Path

import anyio
import click

from ....schemas.context import Context
from ....schemas.outcome import Labelled
from ....schemas.turn import Message, Role, Turn
from ...session import now_in_utc
from ...settings import Settings
from ..opened import labeller_of, taped
from ..options import FILE, Asking, Moment, Shown, asking_options, moment_options, shown_options
from ..output import print_json, show
from ..texts import text_given
from ..times import start_of
from ..views.outcome import labelled_view

_CONVERSATION = "label"
"""Where a text is said that comes without a conversation."""


@click.command("label")
@click.argument("text", required=False)
@click.option(
    "--text-file", type=FILE, metavar="FILE", help="Read the text from a file; - is stdin."
)
@click.option("--said-at", metavar="TIME", help="When it was said; now when not given.")
@click.option("--replied", metavar="TEXT", help="What the assistant said just before.")
@moment_options
@shown_options
@asking_options
def command(
    text: str | None,
    text_file: Path | None,
    shown: Shown,
    asking: Asking,
    moment: Moment,
    said_at: str | None,
    replied: str | None,
) -> None:
    """Say what a text says; keep nothing.

    TEXT is what a user said; without it, it is read from a file or from stdin. What the model
    said and code did not accept is listed as dropped.
    """
    settings = shown.settings(**asking.named())
    now = now_in_utc().astimezone(settings.zone)
    turn = Turn(
        text=text_given(text, text_file),
        said_at=start_of(said_at, settings.zone, option="--said-at") if said_at else now,
        before=(Message(role=Role.ASSISTANT, text=replied),) if replied else (),
        context=_named(moment.context()),
    )
    with taped(asking):
        labelled = anyio.run(_labelled, turn, settings)
    if shown.as_json:
        print_json(labelled.model_dump(mode="json"))
    else:
        show(*labelled_view(labelled))


def _named(context: Context) -> Context:
    conversation = context.conversation or _CONVERSATION
    return context.model_copy(update={"conversation": conversation})


async def _labelled(turn: Turn, settings: Settings) -> Labelled:
    return await labeller_of(settings).label(turn)

"""`henceforth observe`: one user turn, labelled and kept."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from anyio import to_thread

from ....schemas.context import Context
from ....schemas.ids import TurnId
from ....schemas.ledger import TurnEntry
from ....schemas.outcome import Outcome
from ....schemas.turn import Message, Role, Turn
from ...session import Session, now_in_utc
from ..opened import ask
from ..options import FILE, Asking, Moment, Where, asking_options, moment_options, where_options
from ..telling import tell
from ..texts import text_given
from ..times import start_of


@dataclass(frozen=True)
class _Said:
    """A text and what is known of when and where it was said."""

    text: str
    context: Context
    said_at: datetime | None
    id: str | None
    index: int | None
    replied: str | None

    async def observed(self, session: Session) -> Outcome:
        context = self.context.model_copy(
            update={"conversation": self.context.conversation or session.context.conversation}
        )
        index = await _next_index(session, context) if self.index is None else self.index
        named: dict[str, Any] = {} if self.id is None else {"id": TurnId(self.id)}
        turn = Turn(
            text=self.text,
            said_at=self.said_at or now_in_utc().astimezone(session.settings.zone),
            index=index,
            before=(Message(role=Role.ASSISTANT, text=self.replied),) if self.replied else (),
            context=context,
            **named,
        )
        return await session.observe(turn)


async def _next_index(session: Session, context: Context) -> int:
    """The first free place in the conversation: a turn without an id must not replace another."""
    rows = await to_thread.run_sync(session.store.ledger, session.subject)
    entries = [row.entry for row in rows if isinstance(row.entry, TurnEntry)]
    said: list[TurnEntry | Turn] = [*entries, *(each.turn for each in await session.pending())]
    taken = [each.index for each in said if each.context.conversation == context.conversation]
    return max(taken, default=-1) + 1


@click.command("observe")
@click.argument("text", required=False)
@click.option(
    "--text-file", type=FILE, metavar="FILE", help="Read the turn from a file; - is stdin."
)
@click.option("--id", metavar="ID", help="The turn's id; the same id and text count once.")
@click.option(
    "--index", type=click.IntRange(min=0), metavar="N", help="Its place in the conversation."
)
@click.option("--said-at", metavar="TIME", help="When it was said; now when not given.")
@click.option("--replied", metavar="TEXT", help="What the assistant said just before.")
@moment_options
@where_options
@asking_options
def command(
    text: str | None,
    text_file: Path | None,
    where: Where,
    asking: Asking,
    moment: Moment,
    id: str | None,
    index: int | None,
    said_at: str | None,
    replied: str | None,
) -> int:
    """Label a user turn and keep what it changes.

    TEXT is what the user said; without it, it is read from a file or from stdin.
    """
    zone = where.settings().zone
    time = start_of(said_at, zone, option="--said-at") if said_at else None
    said = _Said(text_given(text, text_file), moment.context(), time, id, index, replied)
    return tell(ask(where, asking, said.observed), as_json=where.as_json)

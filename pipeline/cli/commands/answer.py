"""`henceforth answer`: the user's word on an open question."""

import click

from ....schemas.labels import Intent
from ....schemas.ledger import Relation
from ....schemas.outcome import Outcome
from ...session import Session
from ..ids import question_of, rule_of
from ..opened import change
from ..options import Where, where_options
from ..telling import tell


@click.command("answer")
@click.argument("question")
@click.option("--rule", "rules", multiple=True, metavar="ID", help="A rule meant; repeatable.")
@click.option("--none", "nothing", is_flag=True, help="None of them, or no instruction at all.")
@click.option(
    "--relation",
    type=click.Choice([each.value for each in Relation]),
    help="How what was said stands to the rules meant.",
)
@click.option(
    "--intent",
    type=click.Choice([each.value for each in Intent]),
    help="What the turn means, where that was unclear.",
)
@where_options
def command(
    question: str,
    where: Where,
    rules: tuple[str, ...],
    nothing: bool,
    relation: str | None,
    intent: str | None,
) -> int:
    """Settle an open question.

    QUESTION is its id, or the first characters of it. Say which rules are meant with --rule, or
    what an unclear turn means with --intent, or that it is --none.
    """
    if nothing == bool(rules or intent):
        raise click.UsageError("say either --none, or which --rule, or which --intent.")

    async def work(session: Session) -> Outcome:
        return await session.answer(
            await question_of(session, question),
            rules=[await rule_of(session, each) for each in rules],
            relation=Relation(relation) if relation else None,
            intent=Intent(intent) if intent else None,
        )

    return tell(change(where, work), as_json=where.as_json)

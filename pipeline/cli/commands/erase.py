"""`henceforth erase`: remove a rule, or all of a subject, for good."""

import sys

import click

from ....schemas.history import Erased
from ...session import Session
from ..ids import rule_of
from ..opened import change, speaker_of
from ..options import Where, where_options
from ..output import print_json, show


@click.command("erase")
@click.argument("rule", required=False)
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
@where_options
def command(rule: str | None, where: Where, yes: bool) -> None:
    """Remove a rule, or all of a subject, for good. There is no undo.

    RULE is its id, or the first characters of it; without one, the ledger, the rules and the
    pending turns of the subject all go.
    """
    speaker = speaker_of(where.settings())
    if not yes:
        _make_sure(f"rule {rule} of {speaker}" if rule else f"all that is kept of {speaker}")

    async def work(session: Session) -> Erased:
        return await session.erase(await rule_of(session, rule) if rule else None)

    erased = change(where, work)
    if where.as_json:
        print_json(erased.model_dump(mode="json"))
    else:
        what = f"Rule {erased.rule} is" if erased.rule else f"All that was kept of {speaker!r} is"
        show(f"{what} erased; {erased.ledger_rows} ledger rows held text of it.")


def _make_sure(what: str) -> None:
    if not sys.stdin.isatty():
        raise click.UsageError(f"{what} would be erased for good: say --yes to mean it.")
    click.confirm(f"Erase {what} for good?", abort=True, err=True)

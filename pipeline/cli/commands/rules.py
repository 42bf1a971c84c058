"""`henceforth rules`: the rules in force for a moment, or all rules, or the block for a prompt."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import click

from ....schemas.context import Context
from ....schemas.in_force import InForce
from ....schemas.rule import Rule
from ...core.render import Form, render
from ...session import Session
from ..opened import look
from ..options import Moment, Where, moment_options, where_options
from ..output import print_json, remark, show
from ..times import end_of
from ..views.rules import all_rules, in_force_view


@dataclass(frozen=True)
class _Asked:
    """The moment that is asked for."""

    context: Context
    as_of: datetime | None
    events: Sequence[str]

    async def found(self, session: Session) -> InForce:
        return await session.in_force(self.context, as_of=self.as_of, events=self.events)


@click.command("rules")
@click.option("--as-of", metavar="TIME", help="The time asked for; now when not given.")
@click.option(
    "--event", "events", multiple=True, metavar="WORDS", help="What has happened; repeatable."
)
@click.option("--all", "every", is_flag=True, help="Every rule in every state.")
@click.option(
    "--render", "form", type=click.Choice([each.value for each in Form]), help="Print the block."
)
@click.option(
    "--budget", type=click.IntRange(min=1), metavar="N", help="The most tokens of the block."
)
@moment_options
@where_options
def command(
    where: Where,
    moment: Moment,
    as_of: str | None,
    events: tuple[str, ...],
    every: bool,
    form: str | None,
    budget: int | None,
) -> None:
    """Show the rules in force for a moment.

    The moment is what the options say of it; what they do not say is unknown. With --render the
    block for a system prompt is printed, and nothing else.
    """
    if every and form:
        raise click.UsageError("--all and --render exclude each other.")
    if budget and not form:
        raise click.UsageError("--budget needs --render.")
    if every:
        _show_all(look(where, Session.rules), as_json=where.as_json)
        return
    time = end_of(as_of, where.settings().zone, option="--as-of") if as_of else None
    found = look(where, _Asked(moment.context(), time, events).found)
    if form:
        _print_block(found, Form(form), budget, as_json=where.as_json)
    elif where.as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show(*in_force_view(found))


def _show_all(rules: Sequence[Rule], *, as_json: bool) -> None:
    if as_json:
        print_json({"rules": [rule.model_dump(mode="json") for rule in rules]})
    else:
        show(all_rules(rules))


def _print_block(found: InForce, form: Form, budget: int | None, *, as_json: bool) -> None:
    block = render(found, form=form, budget=budget)
    if as_json:
        print_json(block.model_dump(mode="json"))
    elif block.text:
        print(block.text)
    if block.left_out:
        left = ", ".join(rule.id for rule in block.left_out)
        count = "1 rule" if len(block.left_out) == 1 else f"{len(block.left_out)} rules"
        remark(f"the budget of {budget} tokens leaves out {count}: {left}.")

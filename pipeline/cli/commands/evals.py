"""`henceforth eval`: hands over to the evals, which this package must not import."""

from importlib import import_module
from importlib.util import find_spec

import click

from ..exits import GivenError

_HOME = f"{__name__.partition('.')[0]}.evals.cli"


@click.command(
    "eval",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> int:
    """Score labels, states and behaviour on suites.

    All arguments go to the evals; `henceforth eval --help` lists their commands.
    """
    if find_spec(_HOME) is None:
        raise GivenError("the evals are not part of this installation.")
    try:
        code = import_module(_HOME).app(list(arguments))
    except ModuleNotFoundError as error:
        raise GivenError(f"the evals need {error.name!r}: install henceforth[evals].") from error
    return int(code or 0)

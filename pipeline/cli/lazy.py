"""A group whose commands are imported when they run: `--help` of the group imports none."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

from .exits import OutputClosedError


@dataclass(frozen=True)
class Late:
    """A command that is not imported yet.

    Attributes:
        home: The module, seen from this package, that holds it as `command`.
        help: Its line in the list of commands.
    """

    home: str
    help: str


class LateGroup(click.Group):
    """A group of commands that are known by name and imported one at a time.

    Args:
        late: The commands by name, in the order they are listed.
        given: As for any group of click.
    """

    def __init__(self, late: Mapping[str, Late], **given: Any) -> None:
        super().__init__(**given)
        self.late = late

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order given."""
        return list(self.late)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command; None when there is none of that name."""
        if cmd_name not in self.late:
            return None
        found = import_module(self.late[cmd_name].home, __package__).command
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.help) for name, each in self.late.items()])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; click would write and end the process itself in two cases."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise OutputClosedError from error
        except KeyboardInterrupt as error:
            raise click.Abort from error

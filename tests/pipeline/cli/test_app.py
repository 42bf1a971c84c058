"""The command line as a whole: it starts light, and says the same of a command everywhere."""

import resource
import subprocess
import sys
from pathlib import Path

import click
import pytest

from henceforth.pipeline.cli.app import COMMANDS, app

from .conftest import Cli

HEAVY = ("litellm", "instructor", "sqlalchemy", "alembic", "vcr", "pydantic", "rich", "asyncio")

WHAT_WAS_IMPORTED = """
import sys
from henceforth.pipeline.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(*(name for name in sys.modules if "." not in name), file=sys.stderr)
"""


def imported_by(*argv: str, folder: Path) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", WHAT_WAS_IMPORTED, *argv],
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
    )
    return set(run.stderr.splitlines()[-1].split())


def test_help_imports_nothing_but_click(tmp_path: Path) -> None:
    assert not imported_by("--help", folder=tmp_path) & set(HEAVY)


@pytest.mark.parametrize(
    "argv",
    [
        ["rules", "--subject", "ana"],
        ["history", "--subject", "ana"],
        ["pending"],
        ["schema"],
        ["explain", "--help"],
    ],
    ids=" ".join,
)
def test_a_command_that_calls_no_model_imports_none(argv: list[str], tmp_path: Path) -> None:
    assert not imported_by(*argv, folder=tmp_path) & {"litellm", "instructor", "alembic", "vcr"}


def test_a_missing_database_is_read_without_a_database_library(tmp_path: Path) -> None:
    assert "sqlalchemy" not in imported_by("rules", "--subject", "ana", folder=tmp_path)


def test_help_is_there_in_under_300_milliseconds_of_work() -> None:
    """Of work, not of waiting: other tests may use the processor at the same time."""

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "henceforth", "--help"], capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(3)) < 0.3


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "eval"])
def test_the_list_says_of_a_command_what_its_own_page_says(name: str) -> None:
    command = app.get_command(click.Context(app), name)

    assert command is not None
    assert command.name == name
    first = (command.help or "").partition("\n")[0]
    assert first.rstrip(".:").startswith(COMMANDS[name].help.rstrip("."))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_is(name: str) -> None:
    command = app.get_command(click.Context(app), name)

    assert command is not None
    silent = [each.name for each in command.params if isinstance(each, click.Option)]
    silent = [each for each in silent if not _help_of(command, each)]
    assert silent == []


def _help_of(command: click.Command, option: str | None) -> str | None:
    return next(
        each.help
        for each in command.params
        if isinstance(each, click.Option) and each.name == option
    )


def test_an_unknown_command_is_a_usage_error_on_stderr(cli: Cli) -> None:
    ran = cli("observ")

    assert (ran.code, ran.out) == (2, "")
    assert "No such command 'observ'" in ran.err


def test_nothing_given_asks_for_help(cli: Cli) -> None:
    assert cli() == cli("--help")
    assert cli().code == 0


def test_the_version_is_that_of_the_package(cli: Cli) -> None:
    from henceforth import __version__

    assert cli("--version").out == f"henceforth {__version__}\n"


def test_the_module_and_the_script_are_one(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "henceforth", "explain"], capture_output=True, text=True
    )

    assert ran.returncode == 2
    assert "Missing argument 'RULE'" in ran.stderr

"""docs/cli.md and the commands say the same: every command, option and exit code, both ways."""

import re
from pathlib import Path

import click
import pytest

from henceforth.pipeline.cli.app import COMMANDS, app
from henceforth.pipeline.cli.exits import Exit
from henceforth.pipeline.cli.options import asking_options, moment_options, where_options

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "cli.md").read_text("utf-8")

SHARED, *SECTIONS = re.split(r"^### ", PAGE, flags=re.MULTILINE)

BY_NAME = {section.partition("\n")[0]: section for section in SECTIONS}


def options_in(table: str) -> set[str]:
    """The options in the first column of tables."""
    cells = re.findall(r"^\| (`--.*?) \|", table, flags=re.MULTILINE)
    return {option for cell in cells for option in re.findall(r"`(--[a-z-]+)`", cell)}


def options_of(command: click.Command) -> set[str]:
    return {option for each in command.params for option in each.opts if option.startswith("--")}


@click.command
@where_options
@asking_options
@moment_options
def _shared(**_: object) -> None: ...


SHARED_OPTIONS = options_of(_shared)


def test_the_page_has_a_section_for_each_command_and_no_other() -> None:
    assert set(BY_NAME) == set(COMMANDS)


def test_the_options_that_commands_share_are_listed_once() -> None:
    assert options_in(SHARED) == SHARED_OPTIONS


@pytest.mark.parametrize("name", COMMANDS)
def test_a_section_lists_the_options_of_its_command_alone(name: str) -> None:
    command = app.get_command(click.Context(app), name)

    assert command is not None
    own = options_of(command) - SHARED_OPTIONS
    listed = options_in(BY_NAME[name])
    assert own <= listed
    assert listed <= options_of(command)


def test_every_exit_code_is_explained() -> None:
    codes = re.findall(r"^\| (\d+) \|", SHARED, flags=re.MULTILINE)

    assert [int(code) for code in codes] == [code.value for code in Exit]


@pytest.mark.parametrize("line", re.findall(r"^\$ (henceforth .*)$", PAGE, flags=re.MULTILINE))
def test_an_example_names_a_command_and_options_that_are_there(line: str) -> None:
    words = line.partition("#")[0].partition("|")[0].partition(">")[0].split()

    command = app.get_command(click.Context(app), words[1])

    assert command is not None
    assert {word for word in words if word.startswith("--")} <= options_of(command)

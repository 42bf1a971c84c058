"""`henceforth eval`: run, record, compare, report. Parses options; the work is done elsewhere."""

from collections.abc import Sequence
from pathlib import Path

import click

from ..pipeline.cli.exits import Exit
from ..pipeline.cli.options import FILE, FOLDER, Asking, Shown, asking_options, shown_options
from ..pipeline.cli.output import print_json, show
from .errors import RunError
from .labels.labellers import GOLD, MODEL
from .labels.planted import PLANTED

_SEVERAL = ("--cases", "--rows", "--suite")


def app(arguments: Sequence[str]) -> int:
    """Run one command of the evals and return its exit code."""
    code = group.main(spread(arguments), prog_name="henceforth eval", standalone_mode=False)
    return int(code or Exit.OK)


def spread(arguments: Sequence[str]) -> list[str]:
    """`--cases A B` as `--cases A --cases B`: options that take several values."""
    spread_out: list[str] = []
    several: str | None = None
    for argument in arguments:
        if argument.startswith("-"):
            several = argument if argument in _SEVERAL else None
            spread_out += [] if several else [argument]
        else:
            spread_out += [several, argument] if several else [argument]
    return spread_out


@click.group("eval")
def group() -> None:
    """Score labels, states and behaviour on suites."""


def _what_options(command: click.decorators.FC) -> click.decorators.FC:
    options = (
        click.option(
            "--labels",
            type=click.Choice([MODEL, GOLD, *PLANTED]),
            default=MODEL,
            show_default=True,
            help="Whose labels.",
        ),
        click.option("--cases", type=FILE, multiple=True, help="Cases as JSON lines or YAML."),
        click.option("--rows", type=FILE, multiple=True, help="Third-party rows as JSON lines."),
        click.option(
            "--suite", multiple=True, metavar="NAME", help="A kind of cases, cases, dev or train."
        ),
        click.option(
            "--split",
            type=click.Choice(["tune", "test", "all"]),
            default="all",
            show_default=True,
            help="Which half of the cases that ship.",
        ),
        click.option("--behaviour/--no-behaviour", default=None, help="Probe fresh sessions."),
        click.option("--concurrency", type=click.IntRange(min=1), help="Turns at a time."),
        click.option("--out", type=FOLDER, help="Run directory: a run takes up where it stopped."),
        click.option("--save", type=FILE, help="Write the report as JSON to this file."),
        click.option("--html", type=FILE, help="Write the report as one page to this file."),
        click.option("--baseline", type=FILE, help="Compare with this report; worse exits 1."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@group.command("run")
@shown_options
@asking_options
@_what_options
def run_command(shown: Shown, asking: Asking, **options: object) -> int:
    """Label the suites, score them, and show the scores.

    Without --cases, --rows or --suite it takes all suites that ship; with gold labels, the cases.
    """
    from .cli_run import Options, run

    return run(shown, asking, Options.model_validate(options))


@group.command("record")
@click.argument("folder", type=FOLDER)
@shown_options
@asking_options
@_what_options
def record_command(folder: Path, shown: Shown, asking: Asking, **options: object) -> int:
    """Run against a model and keep in FOLDER what it answers, for replays."""
    from dataclasses import replace

    from .cli_run import Options, run

    if asking.record or asking.replay:
        raise click.UsageError("`record FOLDER` says where to record; leave the options out.")
    return run(shown, replace(asking, record=folder), Options.model_validate(options))


@group.command("report")
@click.argument("file", type=FILE)
@click.option("--html", type=FILE, help="Write it as one page to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def report_command(file: Path, html: Path | None, as_json: bool) -> int:
    """Show a saved report again, or make a page of it."""
    from .reports.report import read_report
    from .reports.views.page import write_page
    from .reports.views.terminal import report_view

    report = read_report(file)
    if html:
        write_page(report, html)
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        show(*report_view(report))
    return Exit.OK


@group.command("matcher")
@click.option("--pairs", type=FILE, help="Judged pairs as JSON lines; those that ship.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def matcher_command(pairs: Path | None, as_json: bool) -> int:
    """Say how often the matcher of free text is wrong, on pairs that people judged."""
    from .labels.matcher_error import error_by_part, judged_pairs, read_pairs
    from .reports.views.terminal import matcher_view

    found = error_by_part(read_pairs(pairs) if pairs else judged_pairs())
    if as_json:
        print_json({name: each.model_dump(mode="json") for name, each in found.items()})
    else:
        show(matcher_view(found))
    return Exit.OK


@group.command("compare")
@click.argument("before", type=FILE)
@click.argument("after", type=FILE)
@click.option("--tolerance", type=float, default=0.005, show_default=True, help="What is no move.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def compare_command(before: Path, after: Path, tolerance: float, as_json: bool) -> int:
    """Put two saved reports side by side; exits 1 when the second is worse."""
    from .reports.compare import compare
    from .reports.report import read_report
    from .reports.views.terminal import comparison_view

    if tolerance < 0:
        raise RunError(f"a tolerance of {tolerance} makes no sense: it is 0 or more")
    found = compare(read_report(before), read_report(after), tolerance=tolerance)
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show(*comparison_view(found))
    return Exit.PARTLY if found.worse else Exit.OK

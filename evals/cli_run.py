"""`henceforth eval run` and `record`: from options to a run, with progress, and to its output."""

import json
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from ..pipeline.cli.exits import Exit
from ..pipeline.cli.options import Asking, Shown
from ..pipeline.cli.output import print_json, remark, show
from ..pipeline.replay.file_names import file_name
from ..pipeline.replay.recording import RecordMode
from ..pipeline.settings import Settings
from ..prompts import load_prompt
from ..schemas.base import Shape
from ..schemas.dimensions import default_registry
from .behaviour.answers import Answered
from .behaviour.fresh import Tape
from .behaviour.probes import probes_of
from .data.read import read_cases, read_lines
from .data.suite import Half, load_cases, load_turns
from .errors import RunError
from .labels.labellers import GOLD, MODEL, labeller_for
from .reports.compare import compare
from .reports.report import About, Report, read_report, write_report
from .rows.rows import Row
from .run import How, What, answer_all, gold_given, report_of

ABOUT = "about.json"
"""What is noted beside recordings: with which model and prompt they were made."""


class Options(Shape):
    """The options that say what is scored and what becomes of the report."""

    labels: str = MODEL
    cases: tuple[Path, ...] = ()
    rows: tuple[Path, ...] = ()
    suite: tuple[str, ...] = ()
    split: Literal["tune", "test", "all"] = "all"
    behaviour: bool | None = None
    concurrency: int | None = None
    out: Path | None = None
    save: Path | None = None
    html: Path | None = None
    baseline: Path | None = None


def run(shown: Shown, asking: Asking, options: Options) -> int:
    """Run, show, save, compare; the exit code says whether it is worse, or gold fails."""
    baseline = read_report(options.baseline) if options.baseline else None
    report = _report(shown, asking, options)
    _write(report, options, as_json=shown.as_json)
    worse = baseline is not None and _is_worse(baseline, report, as_json=shown.as_json)
    gold_fails = options.labels == GOLD and bool(report.state and report.state.failed)
    return Exit.PARTLY if worse or gold_fails else Exit.OK


def _report(shown: Shown, asking: Asking, options: Options) -> Report:
    what = what_of(options)
    tape = _tape(asking)
    settings = _settings(shown, asking, options)
    registry = _registry(settings)
    about = _about(options, settings, what, tape)
    is_answered = settings.model is not None or options.behaviour
    how = How(
        about=about,
        settings=settings,
        registry=registry,
        labels=options.labels,
        folder=_folder(options, about, tape),
        tape=tape,
        behaviour=options.behaviour if options.behaviour is not None else bool(is_answered),
    )
    given = _given(what, how)
    if tape and tape.mode is RecordMode.RECORD:
        _note(tape.folder, settings)
    return _scored(what, how, given)


def _given(what: What, how: How) -> Mapping[str, Answered]:
    if how.is_gold:
        if what.rows or what.turns:
            raise RunError("rows and turns have no state to fold gold labels to: run only cases")
        return gold_given(what.cases, registry=how.registry)
    labeller, by = labeller_for(how.labels, how.settings, registry=how.registry)
    with _progress("labelling", len(what.units(registry=how.registry))) as bar:

        def told(answered: Answered) -> None:
            bar(answered.labelled is None)

        return answer_all(what, replace(how, tick=told), labeller, by=by)


def _scored(what: What, how: How, given: Mapping[str, Answered]) -> Report:
    probes = sum(len(probes_of(case)) for case in what.cases) if how.behaviour else 0
    with _progress("probing", probes) as bar:

        def told(probe: str) -> None:
            bar(False)

        return report_of(what, replace(how, probe_tick=told), given)


def what_of(options: Options) -> What:
    """What the options ask to score; without any, all that ships.

    Raises:
        RunError: If there is nothing to score.
    """
    half = None if options.split == "all" else Half(options.split)
    named = options.cases or options.rows or options.suite
    suites = options.suite or (
        () if named else ("cases", *(() if options.labels == GOLD else ("dev",)))
    )
    kinds = [name for name in suites if name not in {"cases", "dev", "turns", "train"}]
    cases = [case for path in options.cases for case in read_cases(path)]
    if "cases" in suites:
        cases += load_cases(half=half)
    elif kinds:
        cases += load_cases(kinds, half=half)
    turns = [row for name in ("dev", "train") if name in suites for row in load_turns(name)]
    rows = [row for path in options.rows for row in read_lines(path, Row)]
    if not (cases or turns or rows):
        raise RunError("there is nothing to score: the suites and files named hold no case or row")
    names = (*suites, *(path.name for path in (*options.cases, *options.rows)))
    return What(cases=cases, turns=turns, rows=rows, names=names, split=options.split)


def _settings(shown: Shown, asking: Asking, options: Options) -> Settings:
    named: dict[str, Any] = {**asking.named(), "concurrency": options.concurrency}
    settings = shown.settings(**named)
    if asking.replay and settings.model is None:
        settings = shown.settings(**(named | _noted(asking.replay, named)))
    if options.labels == MODEL and settings.model is None:
        raise RunError("no model is set: give --model, or --replay a folder that names one")
    return settings


def _noted(folder: Path, named: Mapping[str, Any]) -> dict[str, Any]:
    """The model and prompt that recordings were made with, as far as they are not given."""
    try:
        noted: dict[str, Any] = json.loads((folder / ABOUT).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {name: value for name, value in noted.items() if named.get(name) is None}


def _note(folder: Path, settings: Settings) -> None:
    prompt = load_prompt("label_turn", settings.prompt)
    number = prompt.ref.partition("@")[2].partition("+")[0]
    noted = {"model": settings.model, "prompt": number}
    (folder / ABOUT).write_text(json.dumps(noted, indent=1) + "\n", "utf-8")


def _registry(settings: Settings) -> Any:
    registry = default_registry()
    return (
        registry.extended(settings.registry.read_text("utf-8")) if settings.registry else registry
    )


def _tape(asking: Asking) -> Tape | None:
    if asking.record and asking.replay:
        raise RunError("--record and --replay exclude each other")
    if asking.replay and not asking.replay.is_dir():
        raise RunError(f"there is no folder {str(asking.replay)!r} to replay from")
    if asking.replay:
        return Tape(folder=asking.replay, mode=RecordMode.REPLAY)
    return Tape(folder=asking.record, mode=RecordMode.RECORD) if asking.record else None


def _about(options: Options, settings: Settings, what: What, tape: Tape | None) -> About:
    is_model = options.labels == MODEL
    return About(
        version=version("henceforth"),
        labels=options.labels,
        model=settings.model if is_model else None,
        prompt=load_prompt("label_turn", settings.prompt).ref if is_model else None,
        suites=what.names,
        split=what.split,
        replayed=tape is not None and tape.mode is RecordMode.REPLAY,
    )


def _folder(options: Options, about: About, tape: Tape | None) -> Path | None:
    """The run directory: a run of a live model always has one, so that it can be taken up."""
    if options.out or options.labels != MODEL or tape is not None:
        return options.out
    folder = Path("eval-runs") / file_name(f"{about.model} {about.prompt}")
    remark(f"finished turns are kept in {folder}")
    return folder


@contextmanager
def _progress(name: str, total: int) -> Generator[Callable[[bool], None]]:
    """A bar with an estimate on stderr; without a terminal there is none."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn(name), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        TextColumn("{task.fields[failed]}"),
    )  # fmt: skip
    console = Console(file=sys.stderr)
    failures = 0
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(name, total=total, failed="")

        def tick(failed: bool) -> None:
            nonlocal failures
            failures += failed
            progress.update(task, advance=1, failed=f"{failures} failed" if failures else "")

        yield tick


def _write(report: Report, options: Options, *, as_json: bool) -> None:
    from .reports.views.terminal import report_view

    if options.save:
        write_report(report, options.save)
    if options.out:
        write_report(report, options.out / "report.json")
    if options.html:
        from .reports.views.page import write_page

        write_page(report, options.html)
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        show(*report_view(report))


def _is_worse(baseline: Report, report: Report, *, as_json: bool) -> bool:
    from .reports.views.terminal import comparison_view

    found = compare(baseline, report)
    if not as_json:
        show(*comparison_view(found))
    elif found.worse:
        remark("worse than the baseline: " + ", ".join(e.name for e in found.figures if e.worse))
    return found.worse

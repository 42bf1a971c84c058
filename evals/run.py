"""One run: what to score, who labels, and the report that comes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import anyio

from ..pipeline.intake import Labeller
from ..pipeline.replay.recording import RecordMode
from ..pipeline.settings import Settings
from ..schemas.dimensions import Registry
from ..schemas.labels import TurnLabels
from ..schemas.outcome import Labelled
from .behaviour.answers import Answered, Journal
from .behaviour.behaviour import BehaviourScores
from .behaviour.fresh import Tape
from .behaviour.probe_run import Asked, run_probes
from .behaviour.probe_run import Tick as ProbeTick
from .data.cases import Case
from .data.turns import TurnRow
from .data.wanted import Unit
from .labels.label_scores import LabelScores, label_scores
from .labels.label_units import Tick, label_units
from .labels.labellers import GOLD, gold_answers
from .labels.naming import by_meaning, by_statement
from .labels.unit_score import score_unit
from .labels.units import case_units, turn_unit
from .reports.cost import cost
from .reports.describe import turn_detail
from .reports.report import About, Budget, Failure, Report
from .rows.row_scores import score_rows
from .rows.row_units import row_units
from .rows.rows import Row
from .states.case_level import CaseResult, judge_case, state_scores
from .states.through_store import BY


@dataclass(frozen=True)
class What:
    """What to score.

    Attributes:
        names: What it is called in the report.
        split: The half of the cases.
    """

    cases: Sequence[Case] = ()
    turns: Sequence[TurnRow] = ()
    rows: Sequence[Row] = ()
    names: tuple[str, ...] = ()
    split: str = "all"

    def units(self, *, registry: Registry) -> list[Unit]:
        """All user turns to label."""
        cases = [unit for case in self.cases for unit in case_units(case, registry=registry)]
        turns = [turn_unit(row, registry=registry) for row in self.turns]
        return [*cases, *turns, *(unit for row in self.rows for unit in row_units(row))]


@dataclass(frozen=True)
class How:
    """How to run.

    Attributes:
        labels: `model`, `gold`, or the name of a planted labeller.
        folder: The run directory; a run without one cannot be taken up again.
        tape: Where answers are recorded or replayed.
        behaviour: Whether fresh sessions are probed.
        tick: Called for each labelled turn.
        probe_tick: Called for each finished probe.
    """

    about: About
    settings: Settings
    registry: Registry
    labels: str = GOLD
    folder: Path | None = None
    tape: Tape | None = None
    behaviour: bool = False
    tick: Tick = field(default=lambda _: None)
    probe_tick: ProbeTick = field(default=lambda _: None)

    @property
    def is_gold(self) -> bool:
        """Whether the cases' own labels go in."""
        return self.labels == GOLD


def answer_all(what: What, how: How, labeller: Labeller, *, by: str) -> Mapping[str, Answered]:
    """Label all units, inside the recording where there is one.

    Args:
        what: What to score.
        how: How to run.
        labeller: Who labels.
        by: What identifies its answers in the run directory.
    """
    work = partial(
        label_units,
        what.units(registry=how.registry),
        labeller,
        journal=Journal(how.folder, by=by),
        concurrency=how.settings.concurrency,
        tick=how.tick,
    )
    if how.tape is None:
        return anyio.run(work)
    with how.tape():
        return anyio.run(work)


def gold_given(cases: Sequence[Case], *, registry: Registry) -> Mapping[str, Answered]:
    """The cases' own labels as answers."""
    return {
        unit.id: Answered(
            unit=unit.id,
            text_hash=unit.turn.text_hash,
            labelled=Labelled(labels=golds[unit.at], labelled_by=BY),
        )
        for case in cases
        for golds in [gold_answers(case, registry=registry)]
        for unit in case_units(case, registry=registry)
    }


def report_of(what: What, how: How, given: Mapping[str, Answered]) -> Report:
    """Score the answers. The same answers always give the same report, but for level 3."""
    judged = [
        judge_case(case, given, registry=how.registry, is_gold=how.is_gold) for case in what.cases
    ]
    replayed = how.tape is not None and how.tape.mode is RecordMode.REPLAY
    return Report(
        about=how.about,
        labels=None if how.is_gold else _label_levels(what, given, judged, how.registry),
        state=state_scores(judged) if what.cases else None,
        behaviour=_behaviour(what, how, given) if how.behaviour and what.cases else None,
        rows=score_rows(what.rows, given, registry=how.registry) if what.rows else None,
        cost=cost((each.usage for each in given.values()), replayed=replayed),
        budget=_budget(what.cases, given, how.registry),
        failures=(
            *(each.failure for each in judged if each.failure),
            *_turn_failures(what.turns, given, how.registry),
        ),
    )


def _label_levels(
    what: What,
    given: Mapping[str, Answered],
    judged: Sequence[CaseResult],
    registry: Registry,
) -> dict[str, LabelScores] | None:
    levels: dict[str, LabelScores] = {}
    if what.cases:
        levels["cases"] = label_scores([unit for each in judged for unit in each.units])
    if what.turns:
        units = [turn_unit(row, registry=registry) for row in what.turns]
        scores = [score_unit(unit, _labels(given, unit), registry=registry) for unit in units]
        levels["turns"] = label_scores(scores)
    return levels or None


def _labels(given: Mapping[str, Answered], unit: Unit) -> TurnLabels | None:
    found = given.get(unit.id)
    return found.labels if found else None


def _turn_failures(
    rows: Sequence[TurnRow], given: Mapping[str, Answered], registry: Registry
) -> list[Failure]:
    failures: list[Failure] = []
    for row in rows:
        unit = turn_unit(row, registry=registry)
        if not score_unit(unit, _labels(given, unit), registry=registry).exact:
            detail = turn_detail(unit, given.get(unit.id), right=False)
            failures.append(
                Failure(id=row.id, suite="turns", kind=row.kind, language=row.lang, turns=(detail,))
            )
    return failures


def _behaviour(what: What, how: How, given: Mapping[str, Answered]) -> BehaviourScores:
    asked = [
        Asked(
            case,
            {
                unit.at: labels
                for unit in case_units(case, registry=how.registry)
                if (labels := _labels(given, unit)) is not None
            },
            by_statement if how.is_gold else by_meaning(case, registry=how.registry),
        )
        for case in what.cases
    ]
    return run_probes(
        asked,
        settings=how.settings,
        registry=how.registry,
        tape=how.tape,
        tick=how.probe_tick,
    )


def _budget(cases: Sequence[Case], given: Mapping[str, Answered], registry: Registry) -> Budget:
    """The turns without a label in cases that set a budget of model calls."""
    units = [
        unit
        for case in cases
        if case.fault and case.fault.kind == "latency_budget"
        for unit in case_units(case, registry=registry)
        if not unit.wanted
    ]
    asked = (unit.id for unit in units if _asked(given.get(unit.id)))
    return Budget(turns=len(units), asked=tuple(asked))


def _asked(answered: Answered | None) -> bool:
    return bool(answered and answered.usage and answered.usage.attempts)

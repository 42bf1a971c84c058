"""Level 3: saves the state of each case, starts a fresh process on it, and judges what it says."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from ...pipeline.settings import Settings
from ...pipeline.stores.sql import SqlStore
from ...schemas.dimensions import Registry
from ...schemas.rule import Rule
from ..data.cases import Case
from ..errors import RunError
from ..labels.verdict import Verdict
from ..reports.stats import Estimate, share
from ..states.state import Answers, Naming
from ..states.through_store import save_all
from .behaviour import BehaviourScores, ProbeResult
from .checkers import check_answer
from .fresh import KEY, Answerer, Fresh, Job, Tape
from .probes import Probe, moment_for, probes_of

Tick = Callable[[str], None]


class Asked:
    """A case with its answers, ready to be probed."""

    def __init__(self, case: Case, answers: Answers, naming: Naming) -> None:
        self.case, self.answers, self.naming = case, answers, naming
        self.probes = probes_of(case)


def run_probes(
    asked: Sequence[Asked],
    *,
    settings: Settings,
    registry: Registry,
    tape: Tape | None = None,
    tick: Tick = lambda _: None,
) -> BehaviourScores:
    """Probe all cases in one fresh process that has seen none of their turns.

    Args:
        asked: The cases with their answers.
        settings: The answering model; without one only delivery is judged.
        registry: The dimensions.
        tape: Where answers are recorded, or replayed from.
        tick: Called with the id of each finished probe.
    """
    with TemporaryDirectory(prefix="henceforth-probes-") as folder:
        jobs = _jobs(asked, Path(folder), settings, registry, tape)
        found = _fresh_process(jobs, settings, Path(folder), tick)
    results = [
        _judge(each, probe, found[probe.id])
        for each in asked
        for probe in each.probes
        if probe.id in found
    ]
    return behaviour_scores(results)


def _jobs(
    asked: Sequence[Asked],
    folder: Path,
    settings: Settings,
    registry: Registry,
    tape: Tape | None,
) -> list[Job]:
    """One job a probe, each with the state that it finds saved beforehand."""
    with closing(_Saved(folder, registry)) as saved:
        return [_job(each, probe, saved, settings, tape) for each in asked for probe in each.probes]


class _Saved:
    """The states that probes find: a database for each number of turns said, cases side by side."""

    def __init__(self, folder: Path, registry: Registry) -> None:
        self._folder, self._registry = folder, registry
        self._stores: dict[Path, SqlStore] = {}
        self._done: set[tuple[str, int | None]] = set()

    def state(self, asked: Asked, last: int | None) -> Path:
        """The database that holds the case's state after the turn."""
        db = self._folder / f"through-{last}.db"
        if db not in self._stores:
            self._stores[db] = SqlStore(str(db))
        if (asked.case.id, last) not in self._done:
            self._done.add((asked.case.id, last))
            before = {at: e for at, e in asked.answers.items() if last is None or at <= last}
            save_all(asked.case, before, store=self._stores[db], registry=self._registry)
        return db

    def close(self) -> None:
        """Close the databases: the fresh process opens them anew."""
        for store in self._stores.values():
            store.close()


def _job(asked: Asked, probe: Probe, saved: _Saved, settings: Settings, tape: Tape | None) -> Job:
    moment = moment_for(asked.case, probe)
    tenant, _, speaker = moment.subject.partition("/")
    return Job(
        id=probe.id,
        db=saved.state(asked, moment.through),
        tenant=tenant,
        speaker=speaker,
        context=moment.context,
        as_of=moment.as_of,
        question=probe.question,
        answerer=Answerer(**settings.model_dump(include={*Answerer.model_fields})),
        tape=tape,
        part=f"probes.{asked.case.kind}",
    )


def _fresh_process(
    jobs: Sequence[Job], settings: Settings, folder: Path, tick: Tick
) -> Mapping[str, Fresh]:
    """Work off the jobs in a new process, which sees nothing but them and the databases.

    Raises:
        RunError: If it fails as a whole.
    """
    if not jobs:
        return {}
    environment = dict(os.environ) | {"PYTHONIOENCODING": "utf-8"}
    if settings.api_key is not None:
        environment[KEY] = settings.api_key.get_secret_value()
    given, told = folder / "jobs.jsonl", folder / "stderr.txt"
    given.write_text("\n".join(job.model_dump_json() for job in jobs), "utf-8")
    found: dict[str, Fresh] = {}
    with given.open("rb") as stdin, told.open("wb") as stderr:
        command = [sys.executable, "-m", Job.__module__]
        with subprocess.Popen(
            command, env=environment, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr
        ) as process:
            for line in process.stdout or ():
                fresh = Fresh.model_validate_json(line)
                found[fresh.id] = fresh
                tick(fresh.id)
    if process.returncode:
        raise RunError(f"the fresh process failed: {told.read_text('utf-8').strip()[-600:]}")
    return found


def _judge(asked: Asked, probe: Probe, fresh: Fresh) -> ProbeResult:
    missing = tuple(t for t in probe.delivered if not _is_held(t, fresh.rules, asked.naming))
    unwanted = tuple(t for t in probe.not_delivered if _is_held(t, fresh.rules, asked.naming))
    return ProbeResult(
        id=probe.id,
        case=asked.case.id,
        question=probe.question or "",
        delivered=not missing and not unwanted and _is_whole(fresh),
        missing=missing,
        unwanted=unwanted,
        block=fresh.block,
        answer=fresh.answer,
        error=fresh.error,
        checks=check_answer(fresh.answer, probe.checks) if fresh.answer is not None else (),
    )


def _is_held(text: str, rules: Sequence[Rule], naming: Naming) -> bool:
    return any(naming(rule, text) is Verdict.SAME for rule in rules)


def _is_whole(fresh: Fresh) -> bool:
    """Whether the block has a line for each rule."""
    return fresh.block.count("\n- ") == len(fresh.rules)


def behaviour_scores(results: Sequence[ProbeResult]) -> BehaviourScores:
    """Delivery over all probes; following over the checks of those that were delivered."""
    right = [each for each in results if each.delivered]
    checks = [(each, check) for each in right for check in each.checks]
    names = sorted({check.check for _, check in checks})
    return BehaviourScores(
        probes=len(results),
        delivered=share((each.delivered for each in results), [each.case for each in results]),
        not_delivered=tuple(each.id for each in results if not each.delivered),
        followed=share((check.passed for _, check in checks), [each.id for each, _ in checks]),
        not_followed=tuple(
            f"{each.id}: {check.check}" for each, check in checks if not check.passed
        ),
        not_answered=tuple(each.id for each in results if each.error is not None),
        by_check={name: _of(name, results) for name in names},
        results=tuple(results),
    )


def _of(name: str, results: Sequence[ProbeResult]) -> Estimate:
    return share(
        check.passed
        for each in results
        if each.delivered
        for check in each.checks
        if check.check == name
    )

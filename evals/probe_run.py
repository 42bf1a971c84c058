"""Level 3: saves the state of each case, starts a fresh process on it, and judges what it says."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio

from ..pipeline.settings import Settings
from ..pipeline.stores.sql import SqlStore
from ..schemas.dimensions import Registry
from ..schemas.rule import Rule
from .behaviour import BehaviourScores, ProbeResult
from .cases import Case
from .checkers import check_answer
from .errors import RunError
from .fresh import KEY, Answerer, Fresh, Job, Tape
from .probes import Probe, moment_for, probes_of
from .state import Answers, Naming
from .stats import Estimate, share
from .through_store import keep_all
from .verdict import Verdict


class Asked:
    """A case with its answers, ready to be probed."""

    def __init__(self, case: Case, answers: Answers, naming: Naming) -> None:
        self.case, self.answers, self.naming = case, answers, naming
        self.probes = probes_of(case)


def run_probes(
    asked: Sequence[Asked], *, settings: Settings, registry: Registry, tape: Tape | None = None
) -> BehaviourScores:
    """Probe all cases in one fresh process that has seen none of their turns."""
    with TemporaryDirectory(prefix="henceforth-probes-") as folder:
        saved = _Saved(Path(folder), registry)
        jobs = {
            probe.id: _job(each, probe, saved, settings, tape)
            for each in asked
            for probe in each.probes
        }
        found = _fresh_process(list(jobs.values()), settings)
    results = [
        _judge(each, probe, found[probe.id])
        for each in asked
        for probe in each.probes
        if probe.id in found
    ]
    return behaviour_scores(results)


class _Saved:
    """The states that probes find: a database for each number of turns said, cases side by side."""

    def __init__(self, folder: Path, registry: Registry) -> None:
        self._folder, self._registry = folder, registry
        self._done: set[tuple[str, int | None]] = set()

    def state(self, asked: Asked, last: int | None) -> Path:
        """The database that holds the case's state after the turn."""
        db = self._folder / f"through-{last}.db"
        if (asked.case.id, last) not in self._done:
            self._done.add((asked.case.id, last))
            before = {at: e for at, e in asked.answers.items() if last is None or at <= last}
            with closing(SqlStore(str(db))) as store:
                work = partial(keep_all, store=store, registry=self._registry)
                anyio.run(work, asked.case, before)
        return db


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


def _fresh_process(jobs: Sequence[Job], settings: Settings) -> Mapping[str, Fresh]:
    """Work off the jobs in a new process.

    Raises:
        RunError: If it fails as a whole.
    """
    if not jobs:
        return {}
    environment = dict(os.environ)
    if settings.api_key is not None:
        environment[KEY] = settings.api_key.get_secret_value()
    done = subprocess.run(
        [sys.executable, "-m", Job.__module__],
        input="\n".join(job.model_dump_json() for job in jobs),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment | {"PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    if done.returncode:
        raise RunError(f"the fresh process failed: {done.stderr.strip()[-600:]}")
    lines = [Fresh.model_validate_json(line) for line in done.stdout.split("\n") if line]
    return {each.id: each for each in lines}


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

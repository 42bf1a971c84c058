"""Plays the demo: each turn observed, then asked what holds, here and in fresh processes."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

from anyio import create_task_group, to_thread

from ....schemas.context import Context
from ....schemas.in_force import InForce
from ....schemas.outcome import Outcome
from ...session import Session
from .probing import ask_afresh
from .sequence import Probe, Step


@dataclass(frozen=True)
class Played:
    """One step of the demo and what came of it.

    Attributes:
        found: What is in force in a fresh session.
        probed: What each fresh process was told.
    """

    step: Step
    outcome: Outcome
    found: InForce
    probed: tuple[tuple[Probe, InForce], ...]


async def play(
    steps: tuple[Step, ...], session: Callable[[], Session], *, db: Path, subject: str
) -> AsyncIterator[Played]:
    """Observe the turns in order, each in a session of its own."""
    for number, step in enumerate(steps, start=1):
        outcome = await session().observe(step.turn)
        found = await session().in_force(Context(conversation=f"after-{number}"))
        probed = await _probed(step, db, subject)
        yield Played(step, outcome, found, probed)


async def _probed(step: Step, db: Path, subject: str) -> tuple[tuple[Probe, InForce], ...]:
    answers: dict[str, InForce] = {}

    async def ask(probe: Probe) -> None:
        def run() -> InForce:
            return ask_afresh(probe.context, db=db, subject=subject)

        answers[probe.name] = await to_thread.run_sync(run)

    async with create_task_group() as group:
        for probe in step.probes:
            group.start_soon(ask, probe)
    return tuple((probe, answers[probe.name]) for probe in step.probes)

"""Puts units to a labeller: a bounded number at a time, resumable, each one written down."""

from collections.abc import Callable, Mapping, Sequence

import anyio

from ...pipeline.errors import LabelError
from ...pipeline.intake import Labeller
from ...schemas.turn import Turn
from ..behaviour.answers import Answered, Journal, matches
from ..data.wanted import Unit

Tick = Callable[[Answered], None]
"""Called for each finished unit."""


async def label_units(
    units: Sequence[Unit],
    labeller: Labeller,
    *,
    journal: Journal,
    concurrency: int,
    tick: Tick = lambda _: None,
) -> Mapping[str, Answered]:
    """The answers by unit; what a former run has finished is not asked again."""
    former = journal.finished()
    done = {u.id: former[u.id] for u in units if u.id in former and matches(former[u.id], u)}
    for answered in done.values():
        tick(answered)
    limiter = anyio.CapacityLimiter(concurrency)

    async def work(unit: Unit) -> None:
        async with limiter:
            answered = await _label(unit, labeller)
        journal.add(answered)
        done[unit.id] = answered
        tick(answered)

    async with anyio.create_task_group() as group:
        for unit in units:
            if unit.id not in done:
                group.start_soon(work, unit)
    return {unit.id: done[unit.id] for unit in units}


async def _label(unit: Unit, labeller: Labeller) -> Answered:
    turn = on_tape(unit)
    try:
        labelled = await labeller.label(turn)
    except LabelError as error:
        return Answered(unit=unit.id, text_hash=turn.text_hash, error=str(error))
    return Answered(unit=unit.id, text_hash=turn.text_hash, labelled=labelled)


def on_tape(unit: Unit) -> Turn:
    """The turn in a conversation that names its recording: one file a kind, or a language.

    The name of a conversation never reaches the model; the prompt stands once in each file.
    """
    part = unit.kind if unit.suite == "cases" else unit.language
    context = unit.turn.context.model_copy(update={"conversation": f"{unit.suite}.{part}"})
    return unit.turn.model_copy(update={"context": context})

"""Runs: resumable, bounded, and a report that is the same for the same answers."""

from collections.abc import Mapping
from pathlib import Path

import anyio
import pytest

from henceforth.evals.behaviour.answers import Answered, Journal
from henceforth.evals.data.turns import TurnRow
from henceforth.evals.data.wanted import Unit
from henceforth.evals.errors import RunError
from henceforth.evals.labels.label_units import label_units
from henceforth.evals.labels.labellers import WithoutModel
from henceforth.evals.labels.planted import always_durable, always_none
from henceforth.evals.labels.units import turn_unit
from henceforth.pipeline.errors import ModelUnavailableError
from henceforth.schemas.dimensions import Registry
from henceforth.schemas.outcome import Labelled
from henceforth.schemas.turn import Turn


class Counting:
    """Counts how many turns it is asked about, in all and at one time."""

    def __init__(self, *, fails_on: frozenset[str] = frozenset()) -> None:
        self.inner = WithoutModel("counting", always_none)
        self.fails_on = fails_on
        self.asked: list[str] = []
        self.now = self.most = 0

    async def label(self, turn: Turn) -> Labelled:
        self.asked.append(turn.id)
        self.now += 1
        self.most = max(self.most, self.now)
        await anyio.sleep(0)
        self.now -= 1
        if turn.id in self.fails_on:
            raise ModelUnavailableError(turn=turn.id, model="counting", attempts=1, why="down")
        return await self.inner.label(turn)


@pytest.fixture
def units(dev: tuple[TurnRow, ...], registry: Registry) -> list[Unit]:
    return [turn_unit(row, registry=registry) for row in dev[:20]]


def run(
    units: list[Unit], labeller: Counting, folder: Path | None, by: str = "a"
) -> Mapping[str, Answered]:
    async def work() -> Mapping[str, Answered]:
        journal = Journal(folder, by=by)
        return await label_units(units, labeller, journal=journal, concurrency=3)

    return anyio.run(work)


def test_no_more_turns_are_under_way_than_allowed(units: list[Unit]) -> None:
    labeller = Counting()

    run(units, labeller, None)

    assert labeller.most == 3
    assert len(labeller.asked) == 20


def test_a_finished_turn_is_not_asked_again(units: list[Unit], tmp_path: Path) -> None:
    first, second = Counting(), Counting()

    before = run(units[:12], first, tmp_path)
    after = run(units, second, tmp_path)

    assert len(second.asked) == 8
    assert before.items() <= after.items()


def test_a_turn_that_could_not_be_labelled_is_tried_again(
    units: list[Unit], tmp_path: Path
) -> None:
    broken = units[3]
    first, second = Counting(fails_on=frozenset({broken.turn.id})), Counting()

    found = run(units, first, tmp_path)
    run(units, second, tmp_path)

    assert found[broken.id].labelled is None
    assert "down" in (found[broken.id].error or "")
    assert second.asked == [broken.turn.id]


def test_a_run_that_was_killed_in_the_middle_of_a_line_goes_on(
    units: list[Unit], tmp_path: Path
) -> None:
    run(units[:5], Counting(), tmp_path)
    path = tmp_path / "answers.jsonl"
    path.write_bytes(path.read_bytes()[:-30])
    again = Counting()

    run(units[:5], again, tmp_path)

    assert len(again.asked) == 1


def test_a_turn_whose_text_changed_is_asked_again(units: list[Unit], tmp_path: Path) -> None:
    run(units[:5], Counting(), tmp_path)
    turn = units[0].turn.model_copy(update={"text": "Something else."})
    again = Counting()

    run([units[0].model_copy(update={"turn": turn}), *units[1:5]], again, tmp_path)

    assert again.asked == [turn.id]


def test_a_folder_keeps_the_run_of_one_labeller(units: list[Unit], tmp_path: Path) -> None:
    run(units[:2], Counting(), tmp_path, by="one")

    with pytest.raises(RunError, match="holds the run of one"):
        run(units[:2], Counting(), tmp_path, by="two")


def test_a_labeller_without_a_model_costs_nothing(units: list[Unit]) -> None:
    labelled = anyio.run(WithoutModel("planted", always_durable).label, units[0].turn)

    assert labelled.usage.attempts == 0

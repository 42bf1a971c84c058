"""What the tests of the evals share: the suites, and labels given to units."""

from collections.abc import Mapping

import pytest

from henceforth.evals.answers import Answered
from henceforth.evals.cases import Case
from henceforth.evals.planted import Labeller
from henceforth.evals.suite import load_cases, load_turns
from henceforth.evals.turns import TurnRow
from henceforth.evals.wanted import Unit
from henceforth.schemas.dimensions import Registry, default_registry
from henceforth.schemas.labels import LabelledBy, TurnLabels
from henceforth.schemas.outcome import Labelled


@pytest.fixture(scope="session")
def registry() -> Registry:
    return default_registry()


@pytest.fixture(scope="session")
def cases() -> Mapping[str, Case]:
    return {case.id: case for case in load_cases()}


@pytest.fixture(scope="session")
def dev() -> tuple[TurnRow, ...]:
    return load_turns("dev")


def answered(unit: Unit, labels: TurnLabels) -> Answered:
    by = LabelledBy(model="test", prompt="test")
    labelled = Labelled(labels=labels, labelled_by=by)
    return Answered(unit=unit.id, text_hash=unit.turn.text_hash, labelled=labelled)


def answered_by(labeller: Labeller, units: list[Unit]) -> dict[str, Answered]:
    return {unit.id: answered(unit, labeller(unit.turn)) for unit in units}

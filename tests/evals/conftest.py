"""What the tests of the evals share: the suites, and labels given to units."""

from collections.abc import Callable, Iterable, Mapping

import pytest

from henceforth.evals.behaviour.answers import Answered
from henceforth.evals.data.cases import Case
from henceforth.evals.data.suite import load_cases, load_turns
from henceforth.evals.data.turns import TurnRow
from henceforth.evals.data.wanted import Unit
from henceforth.evals.labels.planted import Labeller
from henceforth.schemas.dimensions import Registry, default_registry
from henceforth.schemas.labels import LabelledBy
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


Answering = Callable[[Labeller, Iterable[Unit]], dict[str, Answered]]


@pytest.fixture(scope="session")
def answered_by() -> Answering:
    """Answers of a plain labeller to units."""

    def answer(labeller: Labeller, units: Iterable[Unit]) -> dict[str, Answered]:
        by = LabelledBy(model="test", prompt="test")
        return {
            unit.id: Answered(
                unit=unit.id,
                text_hash=unit.turn.text_hash,
                labelled=Labelled(labels=labeller(unit.turn), labelled_by=by),
            )
            for unit in units
        }

    return answer

"""Faults of the model, over real HTTP: what labelling makes of them is the same labels."""

from collections.abc import Mapping

import pytest

from henceforth.evals.data.cases import Case, FaultSpec
from henceforth.evals.labels.labellers import gold_answers
from henceforth.evals.states.faulty_model import SCRIPTS, after_faults
from henceforth.schemas.dimensions import Registry

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")


@pytest.mark.parametrize("kind", SCRIPTS)
def test_the_labels_survive_the_fault(
    kind: str, cases: Mapping[str, Case], registry: Registry
) -> None:
    case = cases["r099"].model_copy(update={"fault": FaultSpec(kind=kind)})
    gold = gold_answers(case, registry=registry)

    found = after_faults(case, gold)

    assert found.not_injected is None
    (label,) = found.answers[0].labels
    assert (label.dimension, label.value, label.statement) == (
        "units",
        gold[0].labels[0].value,
        gold[0].labels[0].statement,
    )


def test_a_fault_that_is_not_known_is_said_not_hidden(
    cases: Mapping[str, Case], registry: Registry
) -> None:
    case = cases["r099"].model_copy(update={"fault": FaultSpec(kind="solar_flare")})

    found = after_faults(case, gold_answers(case, registry=registry))

    assert found.not_injected == "a fault of kind 'solar_flare' is not known"

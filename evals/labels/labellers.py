"""Who labels in a run: the model of the settings, the gold labels, or a planted labeller."""

from collections.abc import Mapping
from dataclasses import dataclass

from ...pipeline.intake import Labeller
from ...pipeline.labelling.labeller import ModelLabeller
from ...pipeline.settings import Settings
from ...prompts import load_prompt
from ...schemas.dimensions import Registry
from ...schemas.labels import LabelledBy, TurnLabels
from ...schemas.outcome import Labelled
from ...schemas.turn import Turn
from ..data.cases import Case
from ..data.gold import gold_labels
from ..data.timeline import said
from ..errors import RunError
from .planted import PLANTED
from .planted import Labeller as Plain

GOLD, MODEL = "gold", "model"


@dataclass(frozen=True)
class WithoutModel:
    """Labels with a plain function; nothing is asked, nothing costs."""

    name: str
    answer: Plain

    async def label(self, turn: Turn) -> Labelled:
        """What the function says of the turn."""
        by = LabelledBy(model=self.name, prompt="none")
        return Labelled(labels=self.answer(turn), labelled_by=by)


def labeller_for(labels: str, settings: Settings, *, registry: Registry) -> tuple[Labeller, str]:
    """The labeller of a name, and what identifies its answers in a run directory.

    Raises:
        RunError: If there is none of the name.
    """
    if labels == MODEL:
        prompt = load_prompt("label_turn", settings.prompt)
        by = f"{settings.model} {prompt.ref}"
        return ModelLabeller(settings, registry=registry, prompt=prompt), by
    if labels in PLANTED:
        return WithoutModel(labels, PLANTED[labels]), labels
    names = ", ".join((MODEL, GOLD, *PLANTED))
    raise RunError(f"labels {labels!r} are not known: use one of {names}")


def gold_answers(case: Case, *, registry: Registry) -> Mapping[int, TurnLabels]:
    """The case's own labels by turn.

    Raises:
        RunError: If the case has none.
    """
    if case.labels is None:
        raise RunError(f"case {case.id!r} has no `labels`: it cannot be run with gold labels")
    return {each.at: gold_labels(case, each.at, registry=registry) for each in said(case)}

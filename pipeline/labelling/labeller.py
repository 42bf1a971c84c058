"""The labeller of a deployment: its model, its prompt, its registry, ready for turns."""

from collections.abc import Mapping, Sequence

from ...prompts import Prompt
from ...schemas.dimensions import Registry, default_registry
from ...schemas.ids import RuleId, TurnId
from ...schemas.labels import Label
from ...schemas.ledger import Relation
from ...schemas.outcome import Labelled
from ...schemas.rule import Rule
from ...schemas.turn import Turn
from ..settings import Settings
from .label import label
from .linking import link
from .litellm_model import LiteLLMModel
from .model import LabelModel


class ModelLabeller:
    """Labels turns with the model of the settings.

    Args:
        settings: Which model, how it is reached, how much of a turn it sees.
        registry: The dimensions; without it those that ship.
        model: Another model than that of the settings.
        prompt: Another prompt than that of the settings.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        registry: Registry | None = None,
        model: LabelModel | None = None,
        prompt: Prompt | None = None,
    ) -> None:
        self._settings, self._prompt = settings, prompt
        self._registry = registry or default_registry()
        self._model = model or LiteLLMModel(settings)

    async def label(self, turn: Turn) -> Labelled:
        """The labels of the turn; see `label.label`."""
        return await label(
            turn,
            model=self._model,
            prompt=self._prompt,
            registry=self._registry,
            settings=self._settings,
        )

    async def link(
        self, label: Label, candidates: Sequence[Rule], *, turn: TurnId
    ) -> Mapping[RuleId, Relation]:
        """How a label stands to rules that code could not settle it with; see `linking.link`."""
        return await link(label, candidates, model=self._model, turn=turn)

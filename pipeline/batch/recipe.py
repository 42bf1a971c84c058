"""What the labels of a turn depend on, as one key. Pure."""

import json
from hashlib import sha256

from ...prompts import load_prompt
from ...schemas.base import Shape
from ...schemas.dimensions import Registry
from ...schemas.turn import Turn
from ...schemas.versions import SCHEMA_VERSION
from ..labelling.label import PROMPT
from ..settings import Settings

_BESIDE_THE_POINT = {"conversation", "task"}
"""What a context holds that no label depends on: equal turns of two conversations are one."""


class Recipe(Shape):
    """All that is the same for every turn of a run and has a say in the labels.

    Attributes:
        prompt: The ref of the prompt, which holds a digest of its text.
        registry: A digest of the dimensions.
    """

    model: str
    prompt: str
    registry: str
    temperature: float
    window: int
    max_tokens: int
    preceding: int
    schema_version: int = SCHEMA_VERSION

    def key(self, turn: Turn) -> bytes:
        """The key of the turn's labels: of two turns with one key, one has to be labelled."""
        context = turn.context.model_dump(mode="json", exclude=_BESIDE_THE_POINT)
        asked = {
            "recipe": self.model_dump(mode="json"),
            "text": turn.text,
            "before": [[each.role.value, each.text] for each in turn.before],
            "context": context,
            "day": turn.said_at.date().isoformat(),
            "speakers": 1 if turn.speaker else len(turn.participants),
        }
        return sha256(json.dumps(asked, sort_keys=True).encode()).digest()


def recipe_of(settings: Settings, registry: Registry) -> Recipe:
    """The recipe of a run with these settings."""
    return Recipe(
        model=settings.model or "given",
        prompt=load_prompt(PROMPT, settings.prompt).ref,
        registry=sha256(registry.model_dump_json().encode()).hexdigest()[:16],
        temperature=settings.temperature,
        window=settings.window,
        max_tokens=settings.max_tokens,
        preceding=settings.preceding,
    )

"""The registry of dimensions: definition, cardinality, targets, examples. Data, read once."""

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

from pydantic import Field

from .base import Shape

REPLIES = "replies"
"""The default target: all that the assistant writes."""


class Cardinality(StrEnum):
    """Whether a slot holds one value or several side by side."""

    ONE = "one"
    MANY = "many"


class Dimension(Shape):
    """One aspect that a rule can govern."""

    name: str = Field(pattern=r"^[a-z][a-z_]*$")
    definition: str
    cardinality: Cardinality
    targets: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


class Registry(Shape):
    """The dimensions in their order of decision: the first that fits is the right one."""

    dimensions: tuple[Dimension, ...]

    @cached_property
    def by_name(self) -> Mapping[str, Dimension]:
        """The dimensions by name."""
        return {dimension.name: dimension for dimension in self.dimensions}

    @cached_property
    def by_target(self) -> Mapping[str, Dimension]:
        """The dimension that each listed target belongs to."""
        return {target: each for each in self.dimensions for target in each.targets}

    def dimension_of(self, dimension: str, target: str) -> str:
        """The dimension that the target belongs to; for an unlisted target, the one given."""
        tied = self.by_target.get(target)
        return tied.name if tied else dimension

    def is_listed(self, target: str) -> bool:
        """Whether the target is one the registry knows."""
        return target == REPLIES or target in self.by_target

    def cardinality(self, dimension: str) -> Cardinality:
        """How many values a slot of the dimension holds; an unknown dimension holds many."""
        known = self.by_name.get(dimension)
        return known.cardinality if known else Cardinality.MANY

    def extended(self, text: str) -> "Registry":
        """This registry with the dimensions of a TOML text added or, by name, replaced."""
        added = _read(text)
        kept = tuple(each for each in self.dimensions if each.name not in added)
        return Registry(dimensions=(*added.values(), *kept))


def _read(text: str) -> dict[str, Dimension]:
    tables: dict[str, Any] = tomllib.loads(text)
    return {name: Dimension(name=name, **table) for name, table in tables.items()}


@lru_cache(maxsize=1)
def default_registry() -> Registry:
    """The registry that ships with the package."""
    text = files(__name__.rpartition(".")[0]).joinpath("dimensions.toml").read_text("utf-8")
    return Registry(dimensions=tuple(_read(text).values()))

"""The demo's conversation as shapes, and whether rules are the ones that it expects. Pure."""

import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import AwareDatetime

from ....schemas.base import Shape
from ....schemas.context import Context
from ....schemas.rule import Rule
from ....schemas.turn import Turn

FOLDER = Path(__file__).parent
"""Where the conversation and its recordings are, in the package."""


class Wanted(Shape):
    """A rule that must be in force.

    Attributes:
        value: None where the words of the value are the model's to choose.
        when: Words of its condition; None where it must have none.
    """

    slot: str
    value: str | None = None
    when: str | None = None

    def __str__(self) -> str:
        """`detail/replies (when: technical proposals)`."""
        value = f" = {self.value}" if self.value else ""
        return f"{self.slot}{value}" + (f" (when: {self.when})" if self.when else "")

    def is_met_by(self, rule: Rule) -> bool:
        """Whether the rule is the one that is wanted."""
        words = rule.condition.words.casefold() if rule.condition else None
        return (
            rule.slot == self.slot
            and (self.value is None or rule.value == self.value)
            and (self.when is None) == (words is None)
            and (self.when is None or self.when.casefold() in (words or ""))
        )


class Probe(Shape):
    """A moment that a fresh process is asked about."""

    name: str
    context: Context
    in_force: tuple[Wanted, ...]


class Step(Shape):
    """One turn, and what must be in force after it in a fresh session."""

    text: str
    said_at: AwareDatetime
    context: Context
    in_force: tuple[Wanted, ...]
    probes: tuple[Probe, ...] = ()

    @property
    def turn(self) -> Turn:
        """The turn as it is observed."""
        return Turn(text=self.text, said_at=self.said_at, context=self.context)


class _Sequence(Shape):
    turns: tuple[Step, ...]


def read_sequence(path: Path = FOLDER / "sequence.toml") -> tuple[Step, ...]:
    """The steps of the demo."""
    return _Sequence.model_validate(tomllib.loads(path.read_text("utf-8"))).turns


def is_exactly(rules: Sequence[Rule], wanted: Sequence[Wanted]) -> bool:
    """Whether the rules are the ones wanted, each once, and no other."""
    met = Counter(
        next((place for place, each in enumerate(wanted) if each.is_met_by(rule)), -1)
        for rule in rules
    )
    return met == Counter(range(len(wanted)))

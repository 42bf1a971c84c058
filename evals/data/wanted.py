"""What a turn must be labelled as, and how an answer reads in the same words."""

from ...schemas.base import Shape
from ...schemas.turn import Turn
from ..labels.matcher import Meant

NOTHING = "none"
"""As a class in a confusion matrix: no label."""


class Field(Shape):
    """One field of a wanted label: the right value, and all that counts as right."""

    right: str
    accepted: frozenset[str] = frozenset()

    def takes(self, readings: frozenset[str]) -> bool:
        """Whether one of the ways to read the answer counts as right."""
        return bool(readings & (self.accepted | {self.right}))

    def reading(self, readings: tuple[str, ...]) -> str:
        """The answer as a class: the right value where it counts as right."""
        return self.right if self.takes(frozenset(readings)) else readings[0]


class Wanted(Shape):
    """One label that a turn must get, or may get where it is tolerated."""

    intent: Field
    dimension: Field
    scope: Field
    conditional: bool | None = None
    meant: Meant = Meant()
    quotes: tuple[str, ...] = ()


class Got(Shape):
    """One label of an answer, in the words of the suite: each field with its readings.

    Attributes:
        stores: Whether it leaves a record of a rule.
        deletes: Whether it takes one away.
    """

    intents: tuple[str, ...]
    dimensions: tuple[str, ...]
    scopes: tuple[str, ...]
    conditional: bool = False
    meant: Meant = Meant()
    quotes: tuple[str, ...] = ()
    stores: bool = False
    deletes: bool = False


class Unit(Shape):
    """One user turn to label.

    Attributes:
        group: The case or row it belongs to.
        store: Whether it must leave a record; None where either is right or it deletes one.
        delete: Whether it must take a record away.
        none_reason: Why there is no label, where the suite says.
        scored: Whether the labels count; the first text of an edited message has no right ones.
    """

    id: str
    suite: str
    group: str
    at: int = 0
    kind: str
    language: str
    turn: Turn
    wanted: tuple[Wanted, ...] = ()
    tolerated: tuple[Wanted, ...] = ()
    store: bool | None = None
    delete: bool = False
    none_reason: str | None = None
    scored: bool = True

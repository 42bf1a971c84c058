"""Do two rules speak of the same thing, and do they agree? Pure, and never by similarity."""

import re
from enum import StrEnum
from hashlib import sha256
from typing import Protocol

from ...schemas.dimensions import Cardinality, Registry
from ...schemas.ids import RuleId
from ...schemas.labels import Polarity
from .values import Meaning, lemmas, meaning


class Said(Protocol):
    """What labels and rules have in common: the slot, the value and the polarity."""

    @property
    def dimension(self) -> str:
        """The aspect it governs."""
        ...

    @property
    def target(self) -> str:
        """The part that is written or done."""
        ...

    @property
    def value(self) -> str:
        """What is to be, as a slug or a code."""
        ...

    @property
    def polarity(self) -> Polarity:
        """Do, avoid or lift."""
        ...


class Standing(StrEnum):
    """How two sayings stand to each other, wherever and whenever they hold."""

    EQUAL = "equal"
    OPPOSITE = "opposite"
    OTHER_VALUE = "other-value"
    BESIDE = "beside"
    UNRELATED = "unrelated"


REDACTED = "redacted"
"""What stands where text was."""

CONTRADICTORY = frozenset({Standing.OPPOSITE, Standing.OTHER_VALUE})
"""Both cannot hold at the same time and place."""


def same_slot(one: Said, other: Said, registry: Registry) -> bool:
    """Whether both govern the same thing: target and dimension, for an unlisted target the target.

    The dimension of an unlisted target is the labeller's guess, so it does not tell two slots
    apart; that of a listed one is the registry's, so it is equal when the target is.
    """
    if lemmas(one.target) != lemmas(other.target):
        return False
    return _dimension(one, registry) == _dimension(other, registry) or not registry.is_listed(
        one.target
    )


def standing(one: Said, other: Said, registry: Registry) -> Standing:
    """How the two stand to each other.

    In a slot of cardinality one a value stands against every other value that is asked for;
    to avoid one thing does not stand against another thing. Of a redacted value nothing is
    known any more but what it is equal to.
    """
    if not same_slot(one, other, registry):
        return Standing.UNRELATED
    mine, theirs = meaning_of(one, registry), meaning_of(other, registry)
    if mine == theirs:
        return Standing.EQUAL
    if is_redacted(one.value) or is_redacted(other.value):
        return Standing.BESIDE
    if mine.value == theirs.value:
        return Standing.OPPOSITE
    if mine.opposite or theirs.opposite or not _holds_one(one, other, registry):
        return Standing.BESIDE
    return Standing.OTHER_VALUE


def contradicts(one: Said, other: Said, registry: Registry) -> bool:
    """Whether both cannot hold at the same time and place."""
    return standing(one, other, registry) in CONTRADICTORY


def meaning_of(said: Said, registry: Registry) -> Meaning:
    """The value and polarity in canonical form."""
    return meaning(said.value, said.polarity, _dimension(said, registry), said.target)


def fingerprint(rule: RuleId, said: Said, registry: Registry) -> str:
    """What stands for a redacted value: it can be recognised when said again, and not read."""
    meant = meaning_of(said, registry)
    return redacted(rule, f"{meant.value}/{meant.polarity}")


def redacted(rule: RuleId, text: str) -> str:
    """What stands where a text of the rule was: the same for the same text, and no other."""
    digest = sha256(f"{rule}/{text}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"{REDACTED}-{digest[:16]}"


def is_redacted(value: str) -> bool:
    """Whether the value is what stands where one was."""
    return re.fullmatch(f"{REDACTED}-[0-9a-f]{{16}}", value) is not None


def _dimension(said: Said, registry: Registry) -> str:
    return registry.dimension_of(said.dimension, said.target)


def _holds_one(one: Said, other: Said, registry: Registry) -> bool:
    """Whether the slot holds one value; where two dimensions meet on one target it holds many."""
    dimension = _dimension(one, registry)
    return (
        dimension == _dimension(other, registry)
        and registry.cardinality(dimension) is Cardinality.ONE
    )

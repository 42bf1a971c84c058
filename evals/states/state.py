"""Level 2, the shapes: what is asked of the rules in force, and what is wrong with an answer."""

from collections.abc import Mapping
from typing import Protocol

from ...schemas.base import Shape
from ...schemas.labels import TurnLabels
from ...schemas.rule import Rule
from ..data.cases import Case
from ..data.timeline import Moment, fresh_session, moment_of
from ..labels.verdict import Verdict

Answers = Mapping[int, TurnLabels]
"""What each user turn says, by its place; a turn that could not be labelled is missing."""


class Naming(Protocol):
    """Decides whether a rule is the one that a case calls by a text."""

    def __call__(self, rule: Rule, text: str) -> Verdict:
        """Same, different, or undecided."""
        ...


class Asked(Shape):
    """One question to the rules in force and the right answer.

    Attributes:
        name: How reports call it.
        closed: Nothing else may be in force.
    """

    name: str
    moment: Moment
    in_force: tuple[str, ...] = ()
    not_in_force: tuple[str, ...] = ()
    overridden: tuple[str, ...] = ()
    closed: bool = False


class Shortfall(Shape):
    """What is wrong with one answer; texts are the case's, rules are what was found instead.

    Attributes:
        missing: Must be in force and is not.
        unwanted: Must not be in force and is.
        twice: Stands more than once.
        unexpected: In force, and the case knows of no such rule.
        not_overridden: Must apply and lose, and does not.
        undecided: No code can tell whether a rule found is the one; never counted as right.
        record: What is wrong with the stored text or the ledger.
    """

    asked: str
    missing: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    not_overridden: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    record: tuple[str, ...] = ()
    found: tuple[str, ...] = ()

    @property
    def is_wrong(self) -> bool:
        """Whether anything but the undecided is wrong."""
        wrong = (self.missing, self.unwanted, self.twice, self.unexpected, self.not_overridden)
        return any((*wrong, self.record))


class CaseState(Shape):
    """The verdict on one case.

    Attributes:
        undecided: Nothing is wrong for sure, but something could not be decided; not passed.
        not_injected: The fault the case asks for, where this level cannot inject it.
    """

    id: str
    passed: bool
    undecided: bool = False
    shortfalls: tuple[Shortfall, ...] = ()
    not_injected: str | None = None


def questions_of(case: Case) -> tuple[Asked, ...]:
    """What is asked of the rules in force: a fresh session, then each check."""
    fresh = Asked(
        name="fresh session",
        moment=fresh_session(case),
        in_force=case.in_force_after,
        not_in_force=case.not_in_force_after,
        closed=True,
    )
    checks = (
        Asked(
            name=f"check {number}",
            moment=moment_of(case, check),
            in_force=check.in_force,
            not_in_force=check.not_in_force,
            overridden=check.overridden,
        )
        for number, check in enumerate(case.checks, start=1)
    )
    return (fresh, *checks)

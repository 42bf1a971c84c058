"""The shape of level 3: does the next session get the rules, and does the model follow them?"""

from collections.abc import Mapping

from ...schemas.base import Shape
from ..reports.stats import Estimate


class CheckResult(Shape):
    """One deterministic check of one answer."""

    check: str
    passed: bool
    found: str = ""


class ProbeResult(Shape):
    """One question put in a fresh session.

    Attributes:
        delivered: The block held each rule that it must, and none that it must not.
        missing: Rules that must have been in the block and were not: our fault.
        unwanted: Rules that were in the block and must not have been: our fault.
        answer: What the model answered; None where none was asked.
        checks: What the checkers found; a failed one after a right delivery is the model's.
    """

    id: str
    case: str
    question: str
    delivered: bool
    missing: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    block: str = ""
    answer: str | None = None
    error: str | None = None
    checks: tuple[CheckResult, ...] = ()


class BehaviourScores(Shape):
    """Level 3, with the two faults apart.

    Attributes:
        delivered: Probes whose block was right.
        followed: Of the checks after a right delivery, those that the answer passed.
        by_check: The same by kind of check.
    """

    probes: int
    delivered: Estimate
    not_delivered: tuple[str, ...] = ()
    followed: Estimate
    not_followed: tuple[str, ...] = ()
    not_answered: tuple[str, ...] = ()
    by_check: Mapping[str, Estimate] = {}
    results: tuple[ProbeResult, ...] = ()

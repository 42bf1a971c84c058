"""Which rules may be the same as a new one in other words: only the user can say. Pure."""

from collections.abc import Sequence

from ....schemas.plan import Ask, Row
from ....schemas.rule import Rule
from ....schemas.scope import Condition, Scope
from ..conflict import Standing
from ..scope import Fit
from ..values import features
from .desk import Seat

_ALIKE = 0.6
"""Share of the shorter text's words that makes two texts candidates for a question."""


def mark_unsettled(
    seat: Seat, scope: Scope, condition: Condition | None, *, known: Sequence[Rule]
) -> None:
    """Mark the rules that the new one may repeat or contradict, and ask.

    Args:
        seat: The label, whose rule is written.
        scope: Where that rule holds.
        condition: When.
        known: Rules that the user is asked about anyway.
    """
    pairs = [
        rule
        for rule in seat.lasting()
        if rule not in known
        and _may_be_meant(seat, rule)
        and seat.fit(rule, scope, condition) is Fit.EQUAL
    ]
    if not pairs:
        return
    new = seat.desk.now[seat.rule_id]
    ids = tuple(each.id for each in pairs)
    marked = [each.model_copy(update={"unsettled": (*each.unsettled, new.id)}) for each in pairs]
    seat.write(Row.UNSETTLED, *marked, new.model_copy(update={"unsettled": ids}))
    seat.ask(Ask.UNSETTLED, pairs)


def _may_be_meant(seat: Seat, rule: Rule) -> bool:
    """Whether the values share most of their words, and the targets are one or share theirs."""
    label = seat.label
    return (
        rule.id not in {link.rule for link in seat.links}
        and rule.said_last.turn != seat.desk.entry.turn
        and rule.dimension == label.dimension
        and rule.polarity is label.polarity
        and _alike(label.value, rule.value)
        and _same_target_perhaps(seat, rule)
    )


def _same_target_perhaps(seat: Seat, rule: Rule) -> bool:
    how = seat.standing(rule)
    return how is Standing.BESIDE or (
        how is Standing.UNRELATED and _alike(seat.label.target, rule.target)
    )


def _alike(one: str, other: str) -> bool:
    mine, theirs = features(one), features(other)
    shorter = min(len(mine), len(theirs))
    return shorter > 0 and len(mine & theirs) >= _ALIKE * shorter

"""The ledger told as a story: history, why a rule is as it is, what one turn changed. Pure."""

from collections.abc import Sequence

from ...schemas.history import Difference, Explanation, Happened
from ...schemas.ids import RuleId, TurnId
from ...schemas.ledger import LedgerEntry, TurnEntry
from ...schemas.rule import Rule
from ..errors import UnknownRuleError, UnknownTurnError
from .fold import Folded, in_said_order


def history(entries: Sequence[LedgerEntry], folded: Folded) -> tuple[Happened, ...]:
    """Each entry that counts with what it changed, in said order."""
    told = zip(in_said_order(entries), folded.plans, strict=True)
    return tuple(
        Happened(
            turn=entry.turn if isinstance(entry, TurnEntry) else None,
            what=entry.entry,
            said_at=entry.said_at,
            labels=entry.labels if isinstance(entry, TurnEntry) else None,
            changes=plan.changes,
        )
        for entry, plan in told
    )


def explain(rule: RuleId, entries: Sequence[LedgerEntry], folded: Folded) -> Explanation:
    """What brought the rule, what it replaced, what ended it.

    Raises:
        UnknownRuleError: If the subject has no such rule.
    """
    known = {each.id: each for each in folded.rules}
    if rule not in known:
        raise UnknownRuleError(rule=rule)
    asked = known[rule]
    return Explanation(
        rule=asked,
        supersedes=tuple(known[each] for each in asked.supersedes if each in known),
        superseded_by=known.get(asked.superseded_by) if asked.superseded_by else None,
        story=tuple(each for each in history(entries, folded) if _concerns(each, rule)),
    )


def difference(turn: TurnId, entries: Sequence[LedgerEntry], folded: Folded) -> Difference:
    """The rules that a turn changed, before and after it.

    Raises:
        UnknownTurnError: If no entry of the turn counts.
    """
    before: dict[RuleId, Rule] = {}
    for happened in history(entries, folded):
        if happened.turn == turn:
            after = {rule.id: rule for change in happened.changes for rule in change.rules}
            return Difference(
                turn=turn,
                before=tuple(before[each] for each in after if each in before),
                after=tuple(after.values()),
                changes=happened.changes,
            )
        for change in happened.changes:
            before.update({rule.id: rule for rule in change.rules})
    raise UnknownTurnError(turn=turn)


def _concerns(happened: Happened, rule: RuleId) -> bool:
    return any(each.id == rule for change in happened.changes for each in change.rules)

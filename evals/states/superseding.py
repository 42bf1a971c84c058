"""Which labels of a turn end a rule in favour of theirs: in a case they count as `replace`."""

from ...schemas.plan import Plan, Row

SUPERSEDING = frozenset(
    {Row.REVISE, Row.REPLACE_VALUE, Row.FLIP_POLARITY, Row.SWEEP, Row.LIFT_UNTIL}
)
"""The rows of the reconcile table that end a rule in favour of another."""


def superseding(plan: Plan | None) -> frozenset[int]:
    """The labels by their place in the turn; none where the turn has no plan."""
    changes = plan.changes if plan else ()
    return frozenset(
        change.label for change in changes if change.label is not None and change.row in SUPERSEDING
    )

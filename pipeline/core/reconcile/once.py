"""A label for this task or this conversation: applied once, and no rule is touched. Pure."""

from ....schemas.labels import Span
from ....schemas.ledger import Relation
from ....schemas.plan import Row
from ....schemas.rule import Bound, Rule
from ..conflict import CONTRADICTORY, Standing
from ..scope import Fit
from .desk import Seat
from .inferred import count_as_signal

_ENDED = {Standing.EQUAL, *CONTRADICTORY}
"""What a label ends in its own span: the contrary, and the same with another end."""


def once(seat: Seat) -> None:
    """Reconcile a label that is bound to the task or conversation and ends with it."""
    bound = bound_of(seat)
    new = seat.new_rule(bound=bound)
    running = [
        rule
        for rule in seat.open()
        if rule.bound == bound and seat.is_running(rule)
        if seat.fit(rule, new.scope, new.condition) is Fit.EQUAL
    ]
    equal = [each for each in running if _repeats(seat, each)]
    ended = [each for each in running if seat.standing(each) in _ENDED]
    linked = [rule for rule in seat.linked(Relation.SAME) if rule.bound is not None]
    same, gone = linked or equal, seat.linked(Relation.REPLACES) or ended
    if same:
        seat.reinforce(same[0])
    elif gone:
        seat.supersede(Row.END_ONCE, new, gone)
    else:
        seat.write(Row.APPLY_ONCE, new)
    count_as_signal(seat)


def bound_of(seat: Seat) -> Bound:
    """What the label ends with: the conversation, or the task in it."""
    span = seat.label.span or Span.TASK
    return Bound(
        span=span,
        conversation=seat.context.conversation,
        task=seat.context.task if span is Span.TASK else None,
    )


def _repeats(seat: Seat, rule: Rule) -> bool:
    """Whether the label says what the rule says, and names no other end."""
    same_end = seat.said_until in {None, rule.until}
    return seat.standing(rule) is Standing.EQUAL and same_end

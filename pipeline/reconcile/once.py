"""A label for this task or this conversation: applied once, and no rule is touched. Pure."""

from ...schemas.labels import Span
from ...schemas.plan import Row
from ...schemas.rule import Bound, Rule, State
from ..conflict import CONTRADICTORY, Standing
from .desk import Seat
from .inferred import count_as_signal


def once(seat: Seat) -> None:
    """Reconcile a label that is bound to the task or conversation and ends with it."""
    bound = bound_of(seat)
    running = tuple(seat.rules(lambda rule: rule.state is State.ACTIVE and rule.bound == bound))
    equal = [each for each in running if seat.standing(each) is Standing.EQUAL]
    if equal:
        seat.reinforce(equal[0])
    else:
        contrary = [each for each in running if seat.standing(each) in CONTRADICTORY]
        _apply(seat, bound, contrary)
    count_as_signal(seat)


def bound_of(seat: Seat) -> Bound:
    """What the label ends with: the conversation, or the task in it."""
    span = seat.label.span or Span.TASK
    return Bound(
        span=span,
        conversation=seat.context.conversation,
        task=seat.context.task if span is Span.TASK else None,
    )


def _apply(seat: Seat, bound: Bound, contrary: list[Rule]) -> None:
    rule = seat.new_rule(bound=bound)
    if contrary:
        seat.supersede(Row.END_ONCE, rule, contrary)
    else:
        seat.write(Row.APPLY_ONCE, rule)

"""Which rules hold in this context at this time: exact, not a similarity search. Pure."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from ...schemas.context import Context
from ...schemas.dimensions import Registry, default_registry
from ...schemas.in_force import InForce, Overridden
from ...schemas.labels import Span
from ...schemas.rule import Review, Rule, State
from .conflict import contradicts, is_redacted
from .precedence import stronger_by, strongest_first
from .scope import Verdict, covers, has_passed, verdict


def in_force(
    rules: Sequence[Rule],
    *,
    context: Context,
    as_of: datetime,
    events: Collection[str] = (),
    registry: Registry | None = None,
) -> InForce:
    """Select the rules for one context at one time.

    Args:
        rules: All rules of the subject.
        context: The moment, as the host sees it.
        as_of: The time asked for, in the subject's zone: the zone gives the local day.
        events: What has happened, in the words of the rules' `until`.
        registry: The dimensions; the ones that ship with the package when not given.

    Returns:
        Winners, what the others lost to, and what the context cannot decide.
    """
    chosen = registry or default_registry()
    present = [rule for rule in rules if _may_hold(rule, context, as_of, events)]
    active = [rule for rule in present if rule.state is State.ACTIVE]
    only_for = [rule for rule in active if _only_for(rule, context)]
    competing = [rule for rule in active if not _only_for(rule, context)]
    decided = [rule for rule in competing if _is_decided(rule, context)]
    winners, overridden = _compete(decided, context, chosen)
    undecided = [rule for rule in competing if not _is_decided(rule, context)]
    conditional, beaten = _beside(undecided, winners, context, chosen)
    return InForce(
        context=context,
        as_of=as_of,
        winners=_in_order(winners),
        conditional=_in_order(conditional),
        only_for=_in_order(only_for),
        overridden=(*overridden, *beaten),
        proposed=_in_order(rule for rule in present if rule.state is State.PROPOSED),
    )


def _may_hold(rule: Rule, context: Context, as_of: datetime, events: Collection[str]) -> bool:
    """Whether the rule is open, here, not over, and neither excepted nor out of its condition."""
    return (
        rule.state in {State.ACTIVE, State.PROPOSED}
        and rule.review is not Review.UNVERIFIED
        and not is_redacted(rule.value)
        and covers(rule.scope, context)
        and _is_bound_here(rule, context)
        and not has_passed(rule.until, as_of, events)
        and verdict(rule.condition, context) is not Verdict.DOES_NOT_APPLY
        and (rule.exception is None or verdict(rule.exception, context) is not Verdict.APPLIES)
    )


def _is_bound_here(rule: Rule, context: Context) -> bool:
    """Whether a rule for now belongs to this conversation, and to this task where one is named."""
    bound = rule.bound
    if bound is None:
        return True
    if bound.conversation is None or bound.conversation != context.conversation:
        return False
    return bound.task is None or context.task is None or bound.task == context.task


def _only_for(rule: Rule, context: Context) -> bool:
    """Whether the rule is for a task that nobody can say is the one in hand."""
    bound = rule.bound
    return (
        bound is not None
        and bound.span is Span.TASK
        and (bound.task is None or bound.task != context.task)
    )


def _is_decided(rule: Rule, context: Context) -> bool:
    return verdict(rule.condition, context) is Verdict.APPLIES


def _compete(
    rules: Iterable[Rule], context: Context, registry: Registry
) -> tuple[list[Rule], list[Overridden]]:
    """Who wins, and what each of the others lost to: only a winner overrides."""
    winners: list[Rule] = []
    overridden: list[Overridden] = []
    for rule in strongest_first(rules, context=context):
        lost = _beaten_by(rule, winners, context, registry)
        if lost is None:
            winners.append(rule)
        else:
            overridden.append(lost)
    return winners, overridden


def _beaten_by(
    rule: Rule, winners: Iterable[Rule], context: Context, registry: Registry
) -> Overridden | None:
    """What the rule loses to among the winners, the first found."""
    for other in winners:
        step = contradicts(rule, other, registry) and stronger_by(other, rule, context=context)
        if step:
            return Overridden(rule=rule, by=other.id, step=step)
    return None


def _beside(
    undecided: Iterable[Rule], winners: Sequence[Rule], context: Context, registry: Registry
) -> tuple[list[Rule], list[Overridden]]:
    """The rules whose condition is unknown: beside the winners, unless beaten even if it held."""
    conditional: list[Rule] = []
    beaten: list[Overridden] = []
    for rule in strongest_first(undecided, context=context):
        lost = _beaten_by(rule, winners, context, registry)
        if lost is None:
            conditional.append(rule)
        else:
            beaten.append(lost)
    return conditional, beaten


def _in_order(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Slot by slot in the order said, and within a slot the later said first."""
    listed = sorted(rules, key=lambda rule: (rule.said_last.position, rule.id))
    first = {rule.slot: place for place, rule in reversed(list(enumerate(listed)))}
    return tuple(sorted(reversed(listed), key=lambda rule: first[rule.slot]))

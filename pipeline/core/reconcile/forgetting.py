"""A label that takes rules back: forget on the user's word, retire when their ground is gone."""

from collections.abc import Sequence

from ....schemas.labels import Intent, Reach
from ....schemas.ledger import Relation
from ....schemas.plan import Ask, Row
from ....schemas.rule import Rule, State
from ....schemas.scope import Scope
from ..conflict import is_redacted
from ..scope import Fit, fit
from .desk import Seat, is_open
from .matching import best, matches


def forgetting(seat: Seat) -> None:
    """Reconcile a forget or retire against the rules there were before the turn.

    What one label of the turn brings, another label of the same turn does not take back.
    """
    if seat.links:
        gone: Sequence[Rule] = seat.linked(Relation.SAME)
    elif seat.label.reach in _REACHES:
        gone = _within_reach(seat)
    else:
        found = _found(seat)
        if found is None:
            return
        gone = found
    if gone:
        _take_back(seat, gone)
    else:
        seat.write(Row.FORGET_NOTHING)


_REACHES = {Reach.EVERYTHING, Reach.SCOPE, Reach.DIMENSION}


def _pool(seat: Seat) -> list[Rule]:
    """The rules before the turn that still stand, within the scope named."""
    now = [seat.desk.now[rule.id] for rule in seat.desk.before]
    return [
        each
        for each in now
        if is_open(each) and not seat.is_over(each) and _is_within(each, seat.said_scope)
    ]


def _is_within(rule: Rule, scope: Scope | None) -> bool:
    """Whether the rule belongs to the scope named; none named, or everywhere, filters nothing."""
    if scope is None or not scope.names:
        return True
    return fit(rule.scope, scope) in {Fit.EQUAL, Fit.NARROWER}


def _within_reach(seat: Seat) -> list[Rule]:
    pool = _pool(seat)
    if seat.label.reach is Reach.EVERYTHING:
        return pool
    pool = [each for each in pool if _is_reachable(seat, each)]
    if seat.label.reach is Reach.DIMENSION:
        return [each for each in pool if each.dimension == seat.label.dimension]
    here = seat.said_scope or seat.context.scope
    return [each for each in pool if here.names and _is_within(each, here)]


def _found(seat: Seat) -> list[Rule] | None:
    """The rules its words mean; None when that is unclear and a question was asked."""
    candidates = matches(seat, [each for each in _pool(seat) if _is_reachable(seat, each)])
    sure = [each for each in candidates if each.is_sure]
    if seat.label.reach is Reach.ALL_MATCHING and sure:
        return [each.rule for each in sure]
    top = [each.rule for each in best(sure or candidates)]
    # What was said for one task as well goes with the rule it repeats.
    lasting = [each for each in top if each.bound is None]
    if not top or (sure and (len(top) == 1 or len(lasting) == 1)):
        return top
    seat.write(Row.FORGET_ASK)
    seat.ask(Ask.WHICH_RULE, top)
    return None


def _is_reachable(seat: Seat, rule: Rule) -> bool:
    """A rule for now can be ended in its own conversation only."""
    return rule.bound is None or rule.bound.conversation == seat.context.conversation


def _take_back(seat: Seat, gone: Sequence[Rule]) -> None:
    retired = seat.label.intent is Intent.RETIRE
    state = State.RETIRED if retired else State.FORGOTTEN
    standing = [each for each in gone if each.bound is None]
    running = [each for each in gone if each.bound is not None]
    if standing:
        seat.end(Row.RETIRE if retired else Row.FORGET, state, standing)
    if running:
        seat.end(Row.END_ONCE, state, running)
    if seat.label.back:
        _restore(seat, gone)


def _restore(seat: Seat, gone: Sequence[Rule]) -> None:
    """Put back in force what the rules now gone had superseded.

    What was redacted by then stays away; a link says so of what was not.
    """
    ids = {each.id for each in gone}
    told = seat.pinned(Relation.REPLACES)
    earlier = [
        each
        for each in seat.rules(lambda rule: rule.superseded_by in ids)
        if each.state is State.SUPERSEDED and (each.id in told or not is_redacted(each.value))
    ]
    back = {
        "state": State.ACTIVE,
        "superseded_by": None,
        "corrected": False,
        "ended_by": None,
        "ended_at": None,
    }
    if earlier:
        seat.write(Row.RESTORE, *(each.model_copy(update=back) for each in earlier))

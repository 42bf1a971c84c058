"""A durable label: reinforce, revise, replace, or stand beside. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ....schemas.labels import Kind
from ....schemas.ledger import Relation
from ....schemas.plan import Ask, Row
from ....schemas.rule import Provenance, Review, Rule, State
from ....schemas.scope import EVERYWHERE, Condition, Scope, Until
from ..conflict import CONTRADICTORY, Standing
from ..scope import Fit, Verdict, covers, fit, same_condition, verdict
from .desk import Seat
from .revise import rule_meant
from .unsettled import mark_unsettled


@dataclass(frozen=True)
class _Placed:
    """Where, when and until when the label is to hold, and what it takes the place of.

    Attributes:
        row: The row of what it does there, where more than its value decides.
        asked: The rules of which only the user can say whether one of them goes.
    """

    scope: Scope
    condition: Condition | None
    exception: Condition | None
    until: Until | None
    gone: tuple[Rule, ...] = ()
    row: Row | None = None
    asked: tuple[Rule, ...] = ()


def durable(seat: Seat) -> None:
    """Reconcile a label that reaches beyond the present output."""
    if seat.label.kind is Kind.FACT and not seat.desk.entry.references:
        _keep_unverified(seat)
        return
    same = seat.linked(Relation.SAME)
    _drop_contrary_proposals(seat, same)
    placed = _placed(seat)
    equal = next(iter(same), None) or _equal(seat, placed)
    if equal is None:
        _add(seat, placed)
    else:
        _again(seat, equal, placed)
    for rule in same[1:]:
        seat.reinforce(_stated(rule), Row.LINK)
    if placed.asked:
        seat.ask(Ask.WHICH_VALUE, placed.asked)


def _keep_unverified(seat: Seat) -> None:
    """A fact with nothing to check it against is kept, and not in force."""
    equals = [each for each in seat.lasting() if seat.standing(each) is Standing.EQUAL]
    verified = [each for each in equals if each.review is not Review.UNVERIFIED]
    if equals:
        seat.reinforce((verified or equals)[0], Row.UNVERIFIED_FACT)
    else:
        seat.write(Row.UNVERIFIED_FACT, seat.new_rule(review=Review.UNVERIFIED))


def _stated(rule: Rule) -> Rule:
    """The rule on the user's own word, no longer a proposal."""
    if rule.state is not State.PROPOSED:
        return rule
    return rule.model_copy(update={"state": State.ACTIVE, "provenance": Provenance.STATED})


def _drop_contrary_proposals(seat: Seat, same: Sequence[Rule]) -> None:
    linked = seat.linked(Relation.REPLACES)
    dropped = [
        each
        for each in seat.proposals()
        if each not in same and (each in linked or seat.standing(each) in CONTRADICTORY)
    ]
    if dropped:
        seat.end(Row.DROP_PROPOSAL, State.EXPIRED, dropped)


def _placed(seat: Seat) -> _Placed:
    """Where the label holds: where it says, and what it leaves unsaid as in the rule revised."""
    label = seat.label
    said = _Placed(seat.said_scope or EVERYWHERE, label.condition, label.exception, seat.said_until)
    replaced, meant = seat.linked(Relation.REPLACES), rule_meant(seat)
    if replaced or seat.linked(Relation.SAME):
        said = replace(said, gone=replaced, row=Row.LINK)
    if len(meant) > 1:
        return replace(said, row=Row.REVISE_ASK, asked=meant)
    revised = next((rule for rule in (*replaced, *meant)), None)
    if revised is None or seat.is_pinned:
        return said
    # What has no end is not replaced by what has one: it comes back afterwards.
    gone = (*replaced, *(each for each in meant if each.until or not said.until))
    return replace(
        said,
        scope=seat.said_scope or revised.scope,
        condition=label.condition or revised.condition,
        exception=label.exception or revised.exception,
        gone=gone,
        row=said.row or (Row.REVISE if gone else None),
    )


def _equal(seat: Seat, placed: _Placed) -> Rule | None:
    """The rule that says the same for the same place and time, or for one left unsaid.

    Failing that, an equal proposal: the user's own word confirms it.
    """
    if seat.is_pinned:
        return None
    equals = [
        each
        for each in seat.lasting()
        if seat.standing(each) is Standing.EQUAL and each.review is not Review.UNVERIFIED
    ]
    exact = [each for each in equals if seat.fit(each, placed.scope, placed.condition) is Fit.EQUAL]
    unsaid = [each for each in equals if _unsaid_but_meant(seat, each)]
    proposed = [
        each
        for each in seat.proposals()
        if seat.standing(each) is Standing.EQUAL
        and same_condition(placed.condition, each.condition)
    ]
    return next(iter(exact or unsaid or proposed), None)


def _unsaid_but_meant(seat: Seat, rule: Rule) -> bool:
    """Whether the label leaves unsaid a place or condition of the rule that holds right now."""
    scope_meant = (
        covers(rule.scope, seat.context)
        if seat.said_scope is None
        else fit(seat.said_scope, rule.scope) is Fit.EQUAL
    )
    condition_meant = (
        verdict(rule.condition, seat.context) is Verdict.APPLIES
        if seat.label.condition is None
        else same_condition(seat.label.condition, rule.condition)
    )
    return scope_meant and condition_meant and seat.label.revises is None


def _again(seat: Seat, equal: Rule, placed: _Placed) -> None:
    """The same is said again: one rule stays, with more evidence, or with another end."""
    stays = _restated(seat, equal, placed)
    gone = [each for each in (*stays.gone, *_displaced(seat, stays)) if each.id != equal.id]
    row = _row_of_change(seat, equal, stays)
    if equal.state is State.PROPOSED:
        seat.supersede(Row.CONFIRM, _confirmed(seat, equal, stays), gone)
    elif row is not None:
        seat.supersede(row, _new(seat, stays), [equal, *gone])
    else:
        if gone:
            seat.supersede(stays.row or Row.REPLACE_VALUE, equal, gone)
        linked = stays.row is Row.LINK
        seat.reinforce(seat.desk.now[equal.id], Row.LINK if linked else Row.REINFORCE)


def _restated(seat: Seat, equal: Rule, placed: _Placed) -> _Placed:
    """Where, when and until when the equal rule holds now: what is unsaid stays as it was."""
    named = seat.said_scope is not None or placed.row is Row.REVISE
    stays = not named and covers(equal.scope, seat.context)
    return replace(
        placed,
        scope=equal.scope if stays else placed.scope,
        condition=seat.label.condition or equal.condition,
        exception=seat.label.exception or equal.exception,
        until=_end(seat, equal),
    )


def _end(seat: Seat, equal: Rule) -> Until | None:
    """The end of an equal rule now: one without an end gets one only by a label that revises."""
    label = seat.label
    if label.until is None:
        return None if label.revises else equal.until
    is_rule_without = equal.until is None and equal.state is State.ACTIVE
    return None if is_rule_without and not label.revises else seat.said_until


def _row_of_change(seat: Seat, equal: Rule, stays: _Placed) -> Row | None:
    """Why the equal rule does not stay as it is; None when it does."""
    if stays.until != equal.until:
        if equal.until is None:
            return Row.REVISE
        return Row.LIFT_UNTIL if stays.until is None else Row.RENEW_UNTIL
    said = seat.label.exception
    return None if said is None or same_condition(said, equal.exception) else Row.REVISE


def _confirmed(seat: Seat, proposal: Rule, stays: _Placed) -> Rule:
    """The proposal as a rule, in the user's own words where they give some."""
    update = {
        "statement": seat.label.statement or proposal.statement,
        "scope": stays.scope,
        "exception": stays.exception,
        "until": stays.until,
    }
    return seat.with_evidence(_stated(proposal).model_copy(update=update))


def _add(seat: Seat, placed: _Placed) -> None:
    """A rule that was not there: in place of some, beside others."""
    rows = [row for rule in seat.lasting() if (row := _against(seat, rule, placed))]
    strongest = max(rows, key=_BY_STRENGTH.index, default=Row.NEW)
    seat.supersede(
        placed.row or strongest, _new(seat, placed), [*placed.gone, *_displaced(seat, placed)]
    )
    mark_unsettled(seat, placed.scope, placed.condition, known=placed.asked)


def _new(seat: Seat, placed: _Placed) -> Rule:
    return seat.new_rule(
        scope=placed.scope,
        condition=placed.condition,
        exception=placed.exception,
        until=placed.until,
    )


_SUPERSEDING = (Row.REPLACE_VALUE, Row.FLIP_POLARITY, Row.SWEEP, Row.LATER_QUOTE_WINS)
_BY_STRENGTH = (
    Row.ADD_VALUE,
    Row.ADD_BROADER,
    Row.ADD_NARROWER,
    Row.ADD_TEMPORARY,
    *_SUPERSEDING,
)


def _displaced(seat: Seat, placed: _Placed) -> Iterator[Rule]:
    """The rules that cannot stand beside the label where it holds, where links do not say so."""
    met = iter(()) if seat.is_pinned else seat.lasting()
    return (rule for rule in met if _against(seat, rule, placed) in _SUPERSEDING)


def _against(seat: Seat, rule: Rule, placed: _Placed) -> Row | None:
    """The row for this label against one rule of its slot; None for a rule of another slot."""
    how = seat.standing(rule)
    if how is Standing.UNRELATED or rule.review is Review.UNVERIFIED:
        return None
    if how is Standing.BESIDE:
        return Row.ADD_VALUE
    where = seat.fit(rule, placed.scope, placed.condition)
    passing = placed.until is not None and rule.until is None
    if where is Fit.EQUAL and how in CONTRADICTORY:
        return Row.ADD_TEMPORARY if passing else _row_of_replacing(seat, rule, how)
    if where is Fit.BROADER:
        return Row.SWEEP if seat.label.sweeping and not passing else Row.ADD_BROADER
    return Row.ADD_NARROWER


def _row_of_replacing(seat: Seat, rule: Rule, how: Standing) -> Row:
    if rule.said_last.turn == seat.desk.entry.turn:
        return Row.LATER_QUOTE_WINS
    return Row.FLIP_POLARITY if how is Standing.OPPOSITE else Row.REPLACE_VALUE

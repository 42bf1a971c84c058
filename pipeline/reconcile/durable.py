"""A durable label: reinforce, revise, replace, or stand beside. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...schemas.labels import Kind
from ...schemas.ledger import Relation
from ...schemas.plan import Ask, Row
from ...schemas.rule import Provenance, Review, Rule, State
from ...schemas.scope import EVERYWHERE, PERMANENT, Condition, Scope
from ..conflict import CONTRADICTORY, Standing
from ..scope import Fit, Verdict, covers, fit, same_condition, verdict
from ..values import features
from .desk import Seat, is_proposal, is_standing
from .revise import rule_meant

_ALIKE = 0.6
"""Share of the shorter value's words that makes two values candidates for a question."""


@dataclass(frozen=True)
class _Placed:
    """Where and when the label is to hold, and what it takes the place of."""

    scope: Scope
    condition: Condition | None
    exception: Condition | None
    gone: tuple[Rule, ...] = ()
    row: Row | None = None


def durable(seat: Seat) -> None:
    """Reconcile a label that reaches beyond the present output."""
    if _is_unverified(seat):
        _keep_unverified(seat)
        return
    if _settled_as_same(seat) or _confirmed(seat):
        return
    _drop_contrary_proposals(seat)
    placed = _placed(seat)
    if placed is None:
        return
    equal = _equal(seat, placed)
    if equal is None:
        _add(seat, placed)
    else:
        _again(seat, equal, placed)


def _is_unverified(seat: Seat) -> bool:
    return seat.label.kind is Kind.FACT and not seat.desk.entry.references


def _keep_unverified(seat: Seat) -> None:
    """A fact with nothing to check it against is kept, and not in force."""
    same = next(
        seat.rules(
            lambda rule: (
                rule.review is Review.UNVERIFIED
                and is_standing(rule)
                and seat.standing(rule) is Standing.EQUAL
            )
        ),
        None,
    )
    if same is None:
        seat.write(Row.UNVERIFIED_FACT, seat.new_rule(review=Review.UNVERIFIED))
    else:
        seat.reinforce(same, Row.UNVERIFIED_FACT)


def _settled_as_same(seat: Seat) -> bool:
    same = seat.linked(Relation.SAME)
    for rule in same:
        seat.reinforce(rule, Row.LINK)
    return bool(same)


def _confirmed(seat: Seat) -> bool:
    """An equal proposal becomes a rule on the user's own word."""
    for proposal in seat.rules(is_proposal):
        if seat.standing(proposal) is Standing.EQUAL and same_condition(
            seat.label.condition, proposal.condition
        ):
            stated = proposal.model_copy(
                update={
                    "state": State.ACTIVE,
                    "provenance": Provenance.STATED,
                    "scope": seat.said_scope or proposal.scope,
                }
            )
            seat.reinforce(stated, Row.CONFIRM)
            return True
    return False


def _drop_contrary_proposals(seat: Seat) -> None:
    dropped = [each for each in seat.rules(is_proposal) if seat.standing(each) in CONTRADICTORY]
    if dropped:
        seat.end(Row.DROP_PROPOSAL, State.EXPIRED, dropped)


def _placed(seat: Seat) -> _Placed | None:
    """Where the label holds; None when it revises nobody knows what, and a question was asked."""
    label = seat.label
    said = _Placed(seat.said_scope or EVERYWHERE, label.condition, label.exception)
    replaced = seat.linked(Relation.REPLACES)
    if replaced:
        return _inheriting(seat, replaced[0], gone=replaced, row=Row.LINK)
    if label.revises is None or seat.linked(Relation.BESIDE):
        return said
    meant = rule_meant(seat)
    if len(meant) > 1:
        seat.write(Row.REVISE_ASK, seat.new_rule())
        seat.ask(Ask.WHICH_VALUE, meant)
        return None
    if not meant:
        return said
    lasting = label.until is not None and label.until != PERMANENT and meant[0].until is None
    return _inheriting(seat, meant[0], gone=() if lasting else meant, row=Row.REVISE)


def _inheriting(seat: Seat, rule: Rule, *, gone: Sequence[Rule], row: Row) -> _Placed:
    """What the user left unsaid stays as it was in the rule revised."""
    return _Placed(
        scope=seat.said_scope or rule.scope,
        condition=seat.label.condition or rule.condition,
        exception=seat.label.exception or rule.exception,
        gone=tuple(gone),
        row=row,
    )


def _equal(seat: Seat, placed: _Placed) -> Rule | None:
    """The rule that says the same for the same place and time, or for one left unsaid."""
    equals = [each for each in seat.rules(is_standing) if seat.standing(each) is Standing.EQUAL]
    equals = [each for each in equals if each.review is None]
    exact = [each for each in equals if seat.fit(each, placed.scope, placed.condition) is Fit.EQUAL]
    return next(iter(exact or [each for each in equals if _unsaid_but_meant(seat, each)]), None)


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
    """The same is said again: one rule stays, with more evidence or another end."""
    row = _row_of_new_end(seat, equal)
    others = [each for each in placed.gone if each.id != equal.id]
    if row is not None or not _same_exception(seat, equal):
        _supersede(seat, row or Row.REVISE, placed, [equal, *others])
    elif others:
        seat.supersede(placed.row or Row.REVISE, equal, others)
        seat.reinforce(seat.desk.now[equal.id])
    else:
        seat.reinforce(equal)


def _row_of_new_end(seat: Seat, equal: Rule) -> Row | None:
    """Whether the label moves or lifts the last day of an equal rule."""
    label = seat.label
    if equal.until is None:
        return None
    if label.until == PERMANENT or (label.until is None and label.revises is not None):
        return Row.LIFT_UNTIL
    return Row.RENEW_UNTIL if label.until not in {None, equal.until} else None


def _same_exception(seat: Seat, equal: Rule) -> bool:
    said = seat.label.exception
    return said is None or same_condition(said, equal.exception)


def _add(seat: Seat, placed: _Placed) -> None:
    """A rule that was not there: in place of some, beside others."""
    gone = {rule.id: rule for rule in placed.gone}
    row = placed.row if gone else None
    fallback = Row.NEW
    for rule in tuple(seat.rules(is_standing)):
        found = _against(seat, rule, placed)
        if found in _SUPERSEDING:
            gone.setdefault(rule.id, rule)
            row = row or found
        elif found is not None and _STRENGTH[found] > _STRENGTH[fallback]:
            fallback = found
    _supersede(seat, row or fallback, placed, tuple(gone.values()))
    _mark_unsettled(seat, placed)


_SUPERSEDING = {Row.REPLACE_VALUE, Row.FLIP_POLARITY, Row.SWEEP, Row.LATER_QUOTE_WINS}
_STRENGTH = {
    row: strength
    for strength, row in enumerate(
        (Row.NEW, Row.ADD_VALUE, Row.ADD_BROADER, Row.ADD_NARROWER, Row.ADD_TEMPORARY)
    )
}


def _against(seat: Seat, rule: Rule, placed: _Placed) -> Row | None:
    """The row for this label against one rule of its slot; None for a rule of another slot."""
    how = seat.standing(rule)
    if how is Standing.UNRELATED or rule.review is Review.UNVERIFIED:
        return None
    if how not in CONTRADICTORY:
        return Row.ADD_VALUE
    where = seat.fit(rule, placed.scope, placed.condition)
    if where is Fit.EQUAL:
        return _same_place(seat, rule, how)
    if where is Fit.BROADER:
        return Row.SWEEP if seat.label.sweeping else Row.ADD_BROADER
    return Row.ADD_NARROWER


def _same_place(seat: Seat, rule: Rule, how: Standing) -> Row:
    if seat.label.until not in {None, PERMANENT} and rule.until is None:
        return Row.ADD_TEMPORARY
    if rule.said_last.turn == seat.desk.entry.turn:
        return Row.LATER_QUOTE_WINS
    return Row.FLIP_POLARITY if how is Standing.OPPOSITE else Row.REPLACE_VALUE


def _supersede(seat: Seat, row: Row, placed: _Placed, gone: Sequence[Rule]) -> None:
    rule = seat.new_rule(scope=placed.scope, condition=placed.condition, exception=placed.exception)
    seat.supersede(row, rule, gone)


def _mark_unsettled(seat: Seat, placed: _Placed) -> None:
    """Two values of one dimension that share words may be one: only the user can say."""
    settled = {link.rule for link in seat.links}
    mine = features(seat.label.value)
    pairs = [
        rule
        for rule in seat.rules(is_standing)
        if rule.id not in settled
        and rule.said_last.turn != seat.desk.entry.turn
        and rule.dimension == seat.label.dimension
        and rule.polarity is seat.label.polarity
        and seat.standing(rule) in {Standing.BESIDE, Standing.UNRELATED}
        and seat.fit(rule, placed.scope, placed.condition) is Fit.EQUAL
        and _alike(mine, features(rule.value))
    ]
    if not pairs:
        return
    new = seat.desk.now[seat.rule_id]
    ids = tuple(each.id for each in pairs)
    marked = [each.model_copy(update={"unsettled": (*each.unsettled, new.id)}) for each in pairs]
    seat.write(Row.UNSETTLED, *marked, new.model_copy(update={"unsettled": ids}))
    seat.ask(Ask.UNSETTLED, pairs)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    shorter = min(len(one), len(other))
    return shorter > 0 and len(one & other) >= _ALIKE * shorter

"""An inferred label: a signal for a proposal, never against what the user said. Pure."""

from collections.abc import Iterator, Sequence

from ....schemas.ledger import Relation
from ....schemas.plan import Row
from ....schemas.rule import Evidence, Provenance, Rule, State
from ..conflict import CONTRADICTORY, Standing, fingerprint, same_slot
from ..scope import Fit, covers, fit, same_condition
from .desk import Seat

_TAKEN_BACK = {State.FORGOTTEN, State.RETIRED}
_COUNTS = {State.ACTIVE, State.EXPIRED}
"""The states in which an order for one task was not taken back."""


def inferred(seat: Seat) -> None:
    """Reconcile a reaction to what the assistant did."""
    if seat.is_idle:
        pinned = seat.pinned(Relation.REPLACES)
        _drop(seat, [each for each in _inferences(seat) if each.id in pinned])
        seat.write(Row.NEVER_AGAIN if _was_taken_back(seat) else Row.EVIDENCE_ONLY)
        return
    if _is_explicit_already(seat):
        return
    _drop(seat, _contrary(seat))
    if _was_taken_back(seat):
        seat.write(Row.NEVER_AGAIN)
        return
    known = _known(seat)
    if known is None:
        _propose(seat)
    elif known.state is State.ACTIVE:
        seat.reinforce(known, Row.EVIDENCE_ONLY)
    else:
        _signal(seat, seat.with_evidence(known), Row.SIGNAL)


def count_as_signal(seat: Seat) -> None:
    """An order for this task that equals a proposal is one signal more for it."""
    known = _known(seat)
    if known is not None and known.state is State.PROPOSED:
        _signal(seat, seat.with_evidence(known), Row.SIGNAL)


def _was_taken_back(seat: Seat) -> bool:
    """Whether a rule that says the same was taken back, even one whose text is redacted."""
    label, registry = seat.label, seat.desk.registry
    return any(
        seat.standing(rule) is Standing.EQUAL
        or (
            same_slot(label, rule, registry) and rule.value == fingerprint(rule.id, label, registry)
        )
        for rule in seat.rules(lambda rule: rule.state in _TAKEN_BACK and rule.bound is None)
    )


def _is_explicit_already(seat: Seat) -> bool:
    """Whether the user has said something on this where it holds now: then that stands."""
    explicit = [
        rule
        for rule in seat.lasting()
        if rule.provenance is not Provenance.INFERRED and seat.holds_here(rule)
    ]
    equal = next((rule for rule in explicit if seat.standing(rule) is Standing.EQUAL), None)
    if equal is not None:
        seat.reinforce(equal, Row.EVIDENCE_ONLY)
        return True
    contrary = any(seat.standing(rule) in CONTRADICTORY for rule in explicit)
    if contrary:
        seat.write(Row.EVIDENCE_ONLY)
    return contrary


def _contrary(seat: Seat) -> list[Rule]:
    """The inferred rules, proposed or in force, that a signal speaks against."""
    linked = seat.linked(Relation.REPLACES)
    return [
        each for each in _inferences(seat) if seat.standing(each) in CONTRADICTORY or each in linked
    ]


def _drop(seat: Seat, dropped: Sequence[Rule]) -> None:
    if dropped:
        seat.end(Row.DROP_PROPOSAL, State.EXPIRED, dropped)


def _known(seat: Seat) -> Rule | None:
    """The inferred rule of the same value, for the same place and time, or the one linked."""
    inferences = list(_inferences(seat))
    linked = {rule.id for rule in seat.linked(Relation.SAME)}
    same = [each for each in inferences if each.id in linked]
    equal = [
        each
        for each in inferences
        if seat.standing(each) is Standing.EQUAL
        and same_condition(seat.label.condition, each.condition)
        and _same_place(seat, each)
    ]
    return next(iter(same or equal), None)


def _same_place(seat: Seat, rule: Rule) -> bool:
    said = seat.said_scope
    return covers(rule.scope, seat.context) if said is None else fit(said, rule.scope) is Fit.EQUAL


def _propose(seat: Seat) -> None:
    """A new proposal; equal orders given for single tasks before count as signals."""
    proposal = seat.new_rule(state=State.PROPOSED, provenance=Provenance.INFERRED)
    earlier = (
        each for rule in seat.rules(_was_ordered) if _equals(seat, rule) for each in rule.evidence
    )
    evidence = sorted((*earlier, *proposal.evidence), key=lambda each: each.position)
    _signal(seat, proposal.model_copy(update={"evidence": tuple(evidence)}), Row.PROPOSE)


def _was_ordered(rule: Rule) -> bool:
    return rule.bound is not None and rule.state in _COUNTS


def _equals(seat: Seat, order: Rule) -> bool:
    """Whether the order for one task says the same, or a link says so."""
    linked = {link.rule for link in seat.links if link.relation is Relation.SAME}
    same = same_condition(seat.label.condition, order.condition)
    return order.id in linked or (same and seat.standing(order) is Standing.EQUAL)


def _signal(seat: Seat, proposal: Rule, row: Row) -> None:
    """Write the proposal, in force where its signals are enough."""
    if _signals(proposal.evidence) < seat.desk.signals:
        seat.write(row, proposal)
    else:
        seat.write(Row.IN_FORCE_BY_SIGNALS, proposal.model_copy(update={"state": State.ACTIVE}))


def _signals(evidence: Sequence[Evidence]) -> int:
    """How many different assistant messages were reacted to."""
    return len({each.reacts_to or each.turn for each in evidence})


def _inferences(seat: Seat) -> Iterator[Rule]:
    """The inferred rules, proposed or in force."""
    return (
        rule
        for rule in (*seat.proposals(), *seat.lasting())
        if rule.provenance is Provenance.INFERRED
    )

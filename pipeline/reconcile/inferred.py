"""An inferred label: a signal for a proposal, never against what the user said. Pure."""

from collections.abc import Sequence

from ...schemas.plan import Row
from ...schemas.rule import Evidence, Provenance, Rule, State
from ..conflict import CONTRADICTORY, Standing, fingerprint
from ..scope import covers, same_condition
from .desk import Seat, is_proposal, is_standing

_TAKEN_BACK = {State.FORGOTTEN, State.RETIRED}


def inferred(seat: Seat) -> None:
    """Reconcile a reaction to what the assistant did."""
    if _is_explicit_already(seat):
        return
    _drop_contrary(seat)
    if _was_taken_back(seat):
        seat.write(Row.NEVER_AGAIN)
        return
    known = _equal_inferred(seat)
    if known is None:
        _propose(seat)
    elif known.state is State.ACTIVE:
        seat.reinforce(known, Row.EVIDENCE_ONLY)
    else:
        _add_signal(seat, known)


def count_as_signal(seat: Seat) -> None:
    """An order for this task that equals a proposal is one signal more for it."""
    known = _equal_inferred(seat)
    if known is not None and known.state is State.PROPOSED:
        _add_signal(seat, known)


def _is_explicit_already(seat: Seat) -> bool:
    """Whether the user has said something on this where it holds now: then that stands."""
    explicit = [
        rule
        for rule in seat.rules(is_standing)
        if rule.provenance is not Provenance.INFERRED and covers(rule.scope, seat.context)
    ]
    for rule in explicit:
        if seat.standing(rule) is Standing.EQUAL:
            seat.reinforce(rule, Row.EVIDENCE_ONLY)
            return True
    contrary = any(seat.standing(rule) in CONTRADICTORY for rule in explicit)
    if contrary:
        seat.write(Row.EVIDENCE_ONLY)
    return contrary


def _drop_contrary(seat: Seat) -> None:
    """A signal against an inferred rule drops it, whether proposed or in force."""
    dropped = [each for each in seat.rules(_is_inferred) if seat.standing(each) in CONTRADICTORY]
    if dropped:
        seat.end(Row.DROP_PROPOSAL, State.EXPIRED, dropped)


def _was_taken_back(seat: Seat) -> bool:
    return any(
        seat.standing(rule) is Standing.EQUAL
        or rule.value == fingerprint(rule.id, seat.label, seat.desk.registry)
        for rule in seat.rules(lambda rule: rule.state in _TAKEN_BACK and rule.bound is None)
    )


def _equal_inferred(seat: Seat) -> Rule | None:
    return next(
        (
            rule
            for rule in seat.rules(_is_inferred)
            if seat.standing(rule) is Standing.EQUAL
            and same_condition(seat.label.condition, rule.condition)
        ),
        None,
    )


def _propose(seat: Seat) -> None:
    """A new proposal; equal orders given for single tasks before count as signals."""
    earlier = tuple(
        evidence
        for rule in seat.rules(lambda rule: rule.bound is not None)
        if seat.standing(rule) is Standing.EQUAL
        for evidence in rule.evidence
    )
    proposal = seat.new_rule(state=State.PROPOSED, provenance=Provenance.INFERRED)
    evidence = (*earlier, *proposal.evidence)
    _write(seat, proposal.model_copy(update={"evidence": evidence}), otherwise=Row.PROPOSE)


def _add_signal(seat: Seat, proposal: Rule) -> None:
    evidence = (*proposal.evidence, seat.evidence)
    _write(seat, proposal.model_copy(update={"evidence": evidence}), otherwise=Row.SIGNAL)


def _write(seat: Seat, proposal: Rule, *, otherwise: Row) -> None:
    if _signals(proposal.evidence) < seat.desk.signals:
        seat.write(otherwise, proposal)
    else:
        seat.write(Row.IN_FORCE_BY_SIGNALS, proposal.model_copy(update={"state": State.ACTIVE}))


def _signals(evidence: Sequence[Evidence]) -> int:
    """How many different assistant messages were reacted to."""
    return len({each.reacts_to or each.turn for each in evidence})


def _is_inferred(rule: Rule) -> bool:
    return rule.provenance is Provenance.INFERRED and (is_proposal(rule) or is_standing(rule))

"""The labels of one turn against the rules there are: a plan of changes. Pure."""

from collections.abc import Sequence

from ....schemas.dimensions import Registry
from ....schemas.labels import Intent
from ....schemas.ledger import LinkEntry, TurnEntry
from ....schemas.plan import Plan
from ....schemas.rule import Rule
from .apply import apply
from .desk import Desk
from .durable import durable
from .forgetting import forgetting
from .inferred import inferred
from .once import once

__all__ = ["apply", "reconcile"]

_BY_INTENT = {
    Intent.DURABLE: durable,
    Intent.THIS_TASK: once,
    Intent.FORGET: forgetting,
    Intent.RETIRE: forgetting,
    Intent.INFERRED: inferred,
}

DEFAULT_SIGNALS = 2
"""How many reactions to different assistant messages put an inferred rule in force."""


def reconcile(
    entry: TurnEntry,
    rules: Sequence[Rule],
    *,
    registry: Registry,
    links: Sequence[LinkEntry] = (),
    signals: int = DEFAULT_SIGNALS,
    version: int = 0,
) -> Plan:
    """Turn the labels of one turn into a plan of changes to the store.

    The same labels against the same rules always give the same plan: the model has its say
    in the labels, and none here. Every change carries the row of the table in the design
    notes, section 4, that it came from.

    Args:
        entry: What the turn says, with where and when it was said.
        rules: All rules of the subject, in force or not, before the turn.
        registry: The dimensions, with their targets and cardinality.
        links: What the user or a model said about this turn's labels and the rules.
        signals: How many signals put an inferred rule in force.
        version: The store version that `rules` was read at.

    Returns:
        The plan; empty when the turn changes nothing.
    """
    if entry.labels.none_reason is not None:
        return Plan(turn=entry.turn, version=version)
    desk = Desk(entry=entry, rules=rules, registry=registry, links=links, signals=signals)
    for index, label in enumerate(entry.labels.labels):
        _BY_INTENT[label.intent](desk.seat(index, label))
    desk.ask_to_clarify()
    return Plan(
        turn=entry.turn,
        version=version,
        changes=tuple(desk.changes),
        questions=tuple(desk.questions),
    )

"""The store is a fold over the ledger, in said order. Pure: same ledger, same rules, no model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from ...schemas.dimensions import Registry
from ...schemas.ids import RuleId, TurnId
from ...schemas.ledger import (
    CommandEntry,
    EndEntry,
    EventEntry,
    LedgerEntry,
    LinkEntry,
    TurnEntry,
    VoidEntry,
)
from ...schemas.plan import Ask, Plan, Question
from ...schemas.rule import Rule
from ..stores.protocol import Position
from .commands import carry_out
from .reconcile import DEFAULT_SIGNALS, apply, reconcile
from .reconcile.desk import is_open, rule_id

_AFTER_ALL_TURNS = 2**31
"""The place in its moment of a command: after every turn said at the same time."""

Said = TurnEntry | CommandEntry | EndEntry | EventEntry
"""The entries that have a place in said order."""


@dataclass(frozen=True)
class Folded:
    """What a ledger comes to.

    Attributes:
        rules: All rules, in force or not, in the order they were said.
        questions: The questions that are still open.
        plans: What each entry changed, in said order.
        head: The latest place in said order.
    """

    rules: tuple[Rule, ...] = ()
    questions: tuple[Question, ...] = ()
    plans: tuple[Plan, ...] = ()
    head: Position | None = None


def fold(
    entries: Iterable[LedgerEntry], *, registry: Registry, signals: int = DEFAULT_SIGNALS
) -> Folded:
    """Rebuild the rules from a ledger.

    Args:
        entries: The ledger in arrival order; the fold itself runs in said order.
        registry: The dimensions.
        signals: How many signals put an inferred rule in force.

    Returns:
        The rules and open questions, and the plan of each entry that counts.
    """
    arrived = tuple(entries)
    links = links_by_turn(arrived)
    folded = Folded()
    for entry in in_said_order(arrived):
        of_turn = links[entry.turn] if isinstance(entry, TurnEntry) else ()
        folded = advance(folded, entry, registry=registry, signals=signals, links=of_turn)
    return folded


def advance(
    folded: Folded,
    entry: Said,
    *,
    registry: Registry,
    signals: int = DEFAULT_SIGNALS,
    links: Sequence[LinkEntry] = (),
    version: int = 0,
) -> Folded:
    """One entry more, said after all others: the same as folding the longer ledger."""
    if isinstance(entry, TurnEntry):
        plan = reconcile(
            entry, folded.rules, registry=registry, links=links, signals=signals, version=version
        )
    else:
        plan = carry_out(entry, folded.rules, version=version)
    rules = apply(plan, folded.rules)
    return Folded(
        rules=rules,
        questions=_still_open((*folded.questions, *plan.questions), rules),
        plans=(*folded.plans, plan),
        head=position(entry),
    )


def in_said_order(arrived: Sequence[LedgerEntry]) -> list[Said]:
    """The entries that count, in the order they were said, whatever order they arrived in."""
    turns = _latest_turns(arrived)
    others = [e for e in arrived if isinstance(e, CommandEntry | EndEntry | EventEntry)]
    return sorted([*turns.values(), *others], key=lambda entry: position(entry).key)


def position(entry: Said) -> Position:
    """Where the entry stands in said order."""
    if isinstance(entry, TurnEntry):
        return Position(said_at=entry.said_at, index=entry.index, turn=entry.turn)
    # Which comes first of two in one moment must not depend on which arrived first.
    what = sha256(entry.model_dump_json(exclude={"recorded_at"}).encode()).hexdigest()
    return Position(said_at=entry.said_at, index=_AFTER_ALL_TURNS, turn=what)


def links_by_turn(arrived: Iterable[LedgerEntry]) -> dict[TurnId, list[LinkEntry]]:
    """The links on the labels of each turn; an edit makes the links before it void."""
    links: dict[TurnId, list[LinkEntry]] = {}
    for entry in arrived:
        if isinstance(entry, TurnEntry):
            links[entry.turn] = []
        elif isinstance(entry, LinkEntry):
            links.setdefault(entry.turn, []).append(entry)
    return links


def _latest_turns(arrived: Sequence[LedgerEntry]) -> dict[TurnId, TurnEntry]:
    """The last word on each turn: an edit replaces, an undo removes what came before it."""
    turns: dict[TurnId, TurnEntry] = {}
    for entry in arrived:
        if isinstance(entry, TurnEntry):
            turns[entry.turn] = entry
        elif isinstance(entry, VoidEntry):
            turns.pop(entry.turn, None)
    return turns


def _still_open(questions: Sequence[Question], rules: Sequence[Rule]) -> tuple[Question, ...]:
    """The questions that still matter: a candidate stands, and so does what the label brought."""
    if not questions:
        return ()
    known = {rule.id: rule for rule in rules}
    return tuple(question for question in questions if _matters(question, known))


def _matters(question: Question, rules: Mapping[RuleId, Rule]) -> bool:
    if question.ask is Ask.CLARIFY:
        return True
    brought = rules.get(rule_id(question.turn, question.label))
    candidates = (rules[each] for each in question.candidates if each in rules)
    return (brought is None or is_open(brought)) and any(map(is_open, candidates))

"""Take text out of a ledger so that it still folds to the same rules. Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from ..schemas.dimensions import Registry
from ..schemas.ids import RuleId, TurnId
from ..schemas.labels import Intent, Label
from ..schemas.ledger import LinkedBy, LinkEntry, Relation, TurnEntry
from ..schemas.plan import Plan, Row
from ..schemas.rule import Rule, State
from .blanking import Token, blank, emptied, holds_text, without_quotes
from .conflict import Standing, fingerprint, is_redacted, meaning_of, redacted, same_slot, standing
from .fold import Folded, in_said_order, links_by_turn
from .freezing import (
    TAKES_BACK,
    Changes,
    Place,
    asked_by,
    changes_of,
    enders,
    evidence_of,
    explicit,
    frozen,
    places,
)
from .reconcile.desk import rule_id
from .stores.protocol import Recorded

_RECEIPTS = {Row.FORGET_NOTHING, Row.FORGET_ASK}
"""Rows of a forget that took nothing: its words are kept for the receipt alone."""


class Redacted(NamedTuple):
    """Ledger rows without the text, by number, and links that keep what it meant."""

    rewritten: Mapping[int, Recorded]
    links: tuple[LinkEntry, ...]


def is_due(rule: Rule, *, before: datetime) -> bool:
    """Whether the rule's text is to go: forgotten, or put right, in an entry recorded by then."""
    return (
        not is_redacted(rule.value)
        and rule.ended_at is not None
        and rule.ended_at <= before
        and (rule.state is State.FORGOTTEN or rule.corrected)
    )


def redact(
    folded: Folded,
    rows: Sequence[Recorded],
    *,
    rules: Collection[RuleId],
    before: datetime,
    registry: Registry,
    now: datetime,
) -> Redacted:
    """The ledger rows without the text of the rules, and of what else is to go by then.

    Every label that brought, repeated or took back one of the rules loses its words, and so do
    the rules before it that said the same, turns undone or edited since, and forgets that found
    nothing. What code decided by words is kept as links, so that the fold needs them no longer.

    Args:
        folded: What the rows come to.
        rows: The whole ledger of the subject.
        rules: The rules to redact.
        before: What else is to go was recorded by then.
        registry: The dimensions.
        now: When it is done.
    """
    known = _Known(
        rules={rule.id: rule for rule in folded.rules},
        changes=changes_of(folded.plans),
        asked=asked_by(folded.plans),
        registry=registry,
    )
    counting = {id(entry) for entry in in_said_order([row.entry for row in rows])}
    live = [(row, e) for row, e in _turns(rows) if id(e) in counting]
    dead = [
        (row, e) for row, e in _turns(rows) if id(e) not in counting and e.recorded_at <= before
    ]
    gone = _going(rules, known)
    old = [entry for _, entry in live if entry.recorded_at <= before]
    tokens = {**_of_receipts(old, gone, known), **_of_rules(gone, known)}
    heirs = _heirs(gone, tokens, known)
    rewritten = {row.seq: emptied(row, entry) for row, entry in dead if holds_text(entry)}
    if not tokens:
        return Redacted({**rewritten, **_without_plans(rows, rewritten)}, ())
    for row, entry in live:
        after = _rewritten(entry, tokens, heirs, known)
        if after != entry:
            rewritten[row.seq] = Recorded(seq=row.seq, entry=after)
    rewritten.update(_without_plans(rows, rewritten))
    pinned = _pinned(rows)
    links = (
        link
        for _, entry in live
        for place, label in places(entry)
        if place not in pinned and (place in tokens or place in heirs or _reads(label, gone, known))
        for link in frozen(
            place,
            label,
            known.changes.get(place, ()),
            asked=known.asked.get(place, ()),
            now=now,
        )
    )
    return Redacted(rewritten, tuple(links))


@dataclass(frozen=True)
class _Known:
    """What a ledger comes to: its rules by id, and what each label changed."""

    rules: Mapping[RuleId, Rule]
    changes: Changes
    asked: Mapping[Place, Sequence[RuleId]]
    registry: Registry


def _turns(rows: Iterable[Recorded]) -> Iterator[tuple[Recorded, TurnEntry]]:
    return ((row, row.entry) for row in rows if isinstance(row.entry, TurnEntry))


# --- What goes -----------------------------------------------------------------------


def _going(rules: Iterable[RuleId], known: _Known) -> dict[RuleId, Token]:
    """The rules whose text goes, each with what stands for its value afterwards."""
    gone: dict[RuleId, Token] = {}
    waiting = [known.rules[rule] for rule in rules]
    for rule in waiting:  # grows while it is walked
        polarity = meaning_of(rule, known.registry).polarity
        gone[rule.id] = Token(rule.id, fingerprint(rule.id, rule, known.registry), polarity)
        earlier = [known.rules[each] for each in rule.supersedes if each in known.rules]
        waiting.extend(each for each in earlier if _says_the_same(each, rule, known))
    return {**gone, **_orders_counted(gone, known)}


def _says_the_same(one: Rule, other: Rule, known: _Known) -> bool:
    return standing(one, other, known.registry) is Standing.EQUAL


def _orders_counted(gone: Mapping[RuleId, Token], known: _Known) -> dict[RuleId, Token]:
    """The orders for one task that counted as signals of a rule that goes."""
    said = {
        place: token for rule, token in gone.items() for place in evidence_of(known.rules[rule])
    }
    return {
        rule.id: said[place]
        for rule in known.rules.values()
        if rule.bound is not None and rule.id not in gone
        for place in evidence_of(rule)
        if place in said
    }


def _of_rules(gone: Mapping[RuleId, Token], known: _Known) -> dict[Place, Token]:
    """The labels that said the rules or took them back."""
    tokens: dict[Place, Token] = {}
    for rule, token in gone.items():
        ended = enders(rule, known.changes)
        taken_back = [place for place, how in ended.items() if how is Relation.SAME]
        tokens.update(dict.fromkeys((*taken_back, *evidence_of(known.rules[rule])), token))
    return tokens


def _of_receipts(
    entries: Iterable[TurnEntry], gone: Mapping[RuleId, Token], known: _Known
) -> dict[Place, Token]:
    """The labels that changed nothing: forgets without a match, signals for what was forgotten."""
    return {
        place: token
        for entry in entries
        for place, label in places(entry)
        if not is_redacted(label.value)
        and (token := _of_receipt(place, label, gone, known)) is not None
    }


def _of_receipt(
    place: Place, label: Label, gone: Mapping[RuleId, Token], known: _Known
) -> Token | None:
    rows = {change.row for change in known.changes.get(place, ())}
    if rows & _RECEIPTS:
        own = rule_id(*place)
        return Token(own, redacted(own, ""), label.polarity)
    if Row.NEVER_AGAIN not in rows:
        return None
    for rule in known.rules.values():
        token = fingerprint(rule.id, label, known.registry)
        is_gone = rule.id in gone or is_redacted(rule.value)
        stands = gone[rule.id].value if rule.id in gone else rule.value
        if is_gone and stands == token and same_slot(rule, label, known.registry):
            return Token(rule.id, token, meaning_of(label, known.registry).polarity)
    return None


def _heirs(
    gone: Mapping[RuleId, Token], tokens: Mapping[Place, Token], known: _Known
) -> dict[Place, list[Rule]]:
    """The labels that stay, each with the rules that go and that it displaced."""
    heirs: dict[Place, list[Rule]] = {}
    for rule in gone:
        for place, how in enders(rule, known.changes).items():
            if how is Relation.REPLACES and place not in tokens:
                heirs.setdefault(place, []).append(known.rules[rule])
    return heirs


# --- What is left ----------------------------------------------------------------------


def _rewritten(
    entry: TurnEntry,
    tokens: Mapping[Place, Token],
    heirs: Mapping[Place, Sequence[Rule]],
    known: _Known,
) -> TurnEntry:
    """The turn without the words that go."""
    told = [quote for place, label in places(entry) if place in tokens for quote in label.quote]
    labels: list[Label] = []
    for place, label in places(entry):
        brought = _brought(place, known)
        if brought is not None and (place in tokens or place in heirs or label.revises):
            label = explicit(label, brought)
        if place in tokens:
            label = blank(label, tokens[place])
        elif place in heirs:
            label = without_quotes(label, [*told, *_words_for(label, heirs[place])])
            label = label.model_copy(update={"replaces": None})
        else:
            label = without_quotes(label, told)
        labels.append(label)
    return entry.model_copy(
        update={"labels": entry.labels.model_copy(update={"labels": tuple(labels)})}
    )


def _brought(place: Place, known: _Known) -> Rule | None:
    """The rule that the label brought, or made of a proposal."""
    confirmed = (
        change.rules[-1].id for change in known.changes.get(place, ()) if change.row is Row.CONFIRM
    )
    return known.rules.get(next(confirmed, rule_id(*place)))


def _words_for(label: Label, displaced: Iterable[Rule]) -> Iterator[str]:
    """How a label may speak of the rules it displaced."""
    yield label.replaces or ""
    for rule in displaced:
        yield rule.value
        yield rule.statement
        yield from (quote for evidence in rule.evidence for quote in evidence.quote)


def _without_plans(
    rows: Iterable[Recorded], rewritten: Mapping[int, Recorded]
) -> dict[int, Recorded]:
    """The rows whose plan, as it was given, shows a rule or a question whose words went."""
    turns = {each.entry.turn for each in rewritten.values() if isinstance(each.entry, TurnEntry)}
    return {
        row.seq: row.model_copy(update={"plan": None})
        for row in rows
        if row.seq not in rewritten and row.plan is not None and _shows(row.plan, turns)
    }


def _shows(plan: Plan, turns: Collection[TurnId]) -> bool:
    said = {each.turn for change in plan.changes for rule in change.rules for each in rule.evidence}
    return bool(plan.questions) or not said.isdisjoint(turns)


def _pinned(rows: Iterable[Recorded]) -> set[Place]:
    """The labels that links of an earlier redaction stand for already."""
    links = links_by_turn([row.entry for row in rows])
    return {
        Place(link.turn, link.label)
        for of_turn in links.values()
        for link in of_turn
        if link.by is LinkedBy.REDACTION
    }


def _reads(label: Label, gone: Collection[RuleId], known: _Known) -> bool:
    """Whether the fold finds what the label means by words, of the label or of a rule that goes."""
    by_words = label.intent in TAKES_BACK or label.revises is not None
    return by_words or (
        label.intent is Intent.INFERRED
        and any(same_slot(label, known.rules[rule], known.registry) for rule in gone)
    )

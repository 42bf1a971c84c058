"""Which labels lose their words when rules are redacted, and which must not be read again. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...schemas.dimensions import Registry
from ...schemas.ids import RuleId
from ...schemas.labels import Intent, Label
from ...schemas.ledger import Relation, TurnEntry
from ...schemas.plan import Row
from ...schemas.rule import Rule
from .blanking import Token
from .conflict import Standing, fingerprint, is_redacted, meaning_of, redacted, same_slot, standing
from .fold import Folded
from .freezing import (
    TAKES_BACK,
    Changes,
    Place,
    asked_by,
    changes_of,
    enders,
    evidence_of,
    places,
)
from .reconcile.desk import rule_id

_RECEIPTS = {Row.FORGET_NOTHING, Row.FORGET_ASK}
"""Rows of a forget that took nothing: its words are kept for the receipt alone."""


@dataclass(frozen=True)
class Known:
    """What a ledger comes to: its rules by id, what each label changed, and what it left open."""

    rules: Mapping[RuleId, Rule]
    changes: Changes
    asked: Mapping[Place, Sequence[RuleId]]
    registry: Registry

    def brought(self, place: Place) -> Rule | None:
        """The rule that the label brought, or made of a proposal."""
        made = (each for each in self.changes.get(place, ()) if each.row is Row.CONFIRM)
        confirmed = (each.rules[-1].id for each in made)
        return self.rules.get(next(confirmed, rule_id(*place)))


def known_of(folded: Folded, registry: Registry) -> Known:
    """What a fold came to, to look things up in."""
    return Known(
        rules={rule.id: rule for rule in folded.rules},
        changes=changes_of(folded.plans),
        asked=asked_by(folded.plans),
        registry=registry,
    )


class Going(NamedTuple):
    """What goes.

    Attributes:
        tokens: The labels that lose their words, each with what stands for its value.
        heirs: The labels that stay, each with the rules that go and that it displaced.
        frozen: The labels that the fold is not to read again: links stand for what they did.
    """

    tokens: Mapping[Place, Token]
    heirs: Mapping[Place, Sequence[Rule]]
    frozen: frozenset[Place]


def going(
    rules: Iterable[RuleId], turns: Sequence[TurnEntry], old: Iterable[TurnEntry], known: Known
) -> Going:
    """What goes with the rules.

    Args:
        rules: The rules to redact.
        turns: The turns that count.
        old: Those of them whose receipts are to go too.
        known: What the ledger comes to.
    """
    gone = _tokens(rules, known)
    tokens = {**_of_receipts(old, gone, known), **_of_rules(gone, known)}
    heirs = _heirs(gone, tokens, known)
    frozen = frozenset(
        place
        for entry in turns
        for place, label in places(entry)
        if place in tokens or place in heirs or (tokens and _is_read(label, gone, known))
    )
    return Going(tokens, heirs, frozen)


def _tokens(rules: Iterable[RuleId], known: Known) -> dict[RuleId, Token]:
    """The rules whose text goes, each with what stands for its value afterwards."""
    gone: dict[RuleId, Token] = {}
    waiting = [known.rules[rule] for rule in rules]
    for rule in waiting:  # grows while it is walked
        polarity = meaning_of(rule, known.registry).polarity
        gone[rule.id] = Token(rule.id, fingerprint(rule.id, rule, known.registry), polarity)
        earlier = [known.rules[each] for each in rule.supersedes if each in known.rules]
        waiting.extend(each for each in earlier if _says_the_same(each, rule, known))
    return {**gone, **_orders_counted(gone, known)}


def _says_the_same(one: Rule, other: Rule, known: Known) -> bool:
    return standing(one, other, known.registry) is Standing.EQUAL


def _orders_counted(gone: Mapping[RuleId, Token], known: Known) -> dict[RuleId, Token]:
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


def _of_rules(gone: Mapping[RuleId, Token], known: Known) -> dict[Place, Token]:
    """The labels that said the rules or took them back."""
    tokens: dict[Place, Token] = {}
    for rule, token in gone.items():
        ended = enders(rule, known.changes)
        taken_back = [place for place, how in ended.items() if how is Relation.SAME]
        tokens.update(dict.fromkeys((*taken_back, *evidence_of(known.rules[rule])), token))
    return tokens


def _of_receipts(
    entries: Iterable[TurnEntry], gone: Mapping[RuleId, Token], known: Known
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
    place: Place, label: Label, gone: Mapping[RuleId, Token], known: Known
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
    gone: Mapping[RuleId, Token], tokens: Mapping[Place, Token], known: Known
) -> dict[Place, list[Rule]]:
    """The labels that stay, each with the rules that go and that it displaced."""
    heirs: dict[Place, list[Rule]] = {}
    for rule in gone:
        for place, how in enders(rule, known.changes).items():
            if how is Relation.REPLACES and place not in tokens:
                heirs.setdefault(place, []).append(known.rules[rule])
    return heirs


def _is_read(label: Label, gone: Collection[RuleId], known: Known) -> bool:
    """Whether the fold finds what the label means by words, of the label or of a rule that goes."""
    if label.intent in TAKES_BACK or (label.revises and label.replaces):
        return True
    return (label.revises is not None or label.intent is Intent.INFERRED) and any(
        same_slot(label, known.rules[rule], known.registry) for rule in gone
    )

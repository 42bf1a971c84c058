"""Take text out of a ledger so that it still folds to the same rules. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from ..schemas.dimensions import Registry
from ..schemas.ids import RuleId, TurnId
from ..schemas.labels import Label, Revises
from ..schemas.ledger import LinkedBy, LinkEntry, Relation, TurnEntry
from ..schemas.plan import Row
from ..schemas.rule import Rule, State
from ..schemas.scope import Condition
from .conflict import REDACTED, fingerprint
from .fold import Folded, in_said_order
from .reconcile.desk import rule_id
from .stores.protocol import Recorded

_TAKEN_BACK = {Row.FORGET, Row.RETIRE, Row.END_ONCE, Row.LINK}

Place = tuple[TurnId, int]
"""A label: its turn, and its place in it."""


def is_redacted(rule: Rule) -> bool:
    """Whether the rule's text is gone already."""
    return is_redacted_value(rule.value)


def is_redacted_value(value: str) -> bool:
    """Whether the value is what stands where one was."""
    return value.startswith(f"{REDACTED}-")


def due(folded: Folded, rows: Sequence[Recorded], *, before: datetime) -> tuple[RuleId, ...]:
    """The rules whose text is to go: forgotten, or put right, in an entry recorded by then."""
    corrections = _corrections(rows)
    return tuple(
        rule.id
        for rule in folded.rules
        if not is_redacted(rule)
        and rule.ended_at is not None
        and rule.ended_at <= before
        and (rule.state is State.FORGOTTEN or rule.superseded_by in corrections)
    )


def dead(rows: Sequence[Recorded], *, before: datetime) -> tuple[int, ...]:
    """The ledger rows of turns undone or edited since, recorded by then, that still hold text."""
    counting = {id(entry) for entry in in_said_order([row.entry for row in rows])}
    return tuple(
        row.seq
        for row in rows
        if isinstance(row.entry, TurnEntry)
        and id(row.entry) not in counting
        and row.entry.recorded_at <= before
        and not all(is_redacted_value(label.value) for label in row.entry.labels.labels)
    )


def redact(
    folded: Folded,
    rows: Sequence[Recorded],
    *,
    rules: Collection[RuleId],
    dead: Collection[int] = (),
    registry: Registry,
    now: datetime,
) -> tuple[Mapping[int, Recorded], tuple[LinkEntry, ...]]:
    """The ledger rows without the text of the rules, and links that keep what it meant.

    Every label that brought, repeated or took back one of the rules loses its words. What code
    found by those words is pinned by links, so that the fold needs them no longer.

    Args:
        folded: What the rows come to.
        rows: The whole ledger of the subject.
        rules: The rules to redact.
        dead: The rows that no longer count, to be emptied.
        registry: The dimensions.
        now: When it is done.

    Returns:
        The rows that change, by number, and the links to add.
    """
    chosen = [rule for rule in folded.rules if rule.id in rules]
    tokens = _tokens(chosen, folded, registry)
    rewritten = {
        row.seq: Recorded(seq=row.seq, entry=_without(row.entry, tokens), plan=None)
        for row in rows
        if isinstance(row.entry, TurnEntry) and _touches(row.entry, tokens)
    }
    rewritten.update((row.seq, _emptied(row)) for row in rows if row.seq in dead)
    rewritten.update(
        (row.seq, row.model_copy(update={"plan": None}))
        for row in rows
        if row.seq not in rewritten and _plan_shows(row, rules)
    )
    return rewritten, tuple(_pins(chosen, folded, now))


def _corrections(rows: Sequence[Recorded]) -> set[RuleId]:
    """The rules that were brought as the correction of another."""
    return {
        rule_id(row.entry.turn, place)
        for row in rows
        if isinstance(row.entry, TurnEntry)
        for place, label in enumerate(row.entry.labels.labels)
        if label.revises is Revises.CORRECTION
    }


def _tokens(rules: Iterable[Rule], folded: Folded, registry: Registry) -> dict[Place, str]:
    """What each label's value becomes: one token for all the labels of one rule."""
    tokens: dict[Place, str] = {}
    for rule in rules:
        token = fingerprint(rule.id, rule, registry)
        tokens.update({(each.turn, each.label): token for each in rule.evidence})
        tokens.update(dict.fromkeys(_taken_back_by(rule, folded), token))
    return tokens


def _taken_back_by(rule: Rule, folded: Folded) -> list[Place]:
    """The labels that took the rule back."""
    return [
        (plan.turn, change.label)
        for plan in folded.plans
        for change in plan.changes
        if plan.turn is not None
        and change.label is not None
        and change.row in _TAKEN_BACK
        and any(each.id == rule.id and each.state is not State.ACTIVE for each in change.rules)
    ]


def _touches(entry: TurnEntry, tokens: Mapping[Place, str]) -> bool:
    return any((entry.turn, place) in tokens for place in range(len(entry.labels.labels)))


def _without(entry: TurnEntry, tokens: Mapping[Place, str]) -> TurnEntry:
    labels = tuple(
        _blank(label, tokens[entry.turn, place]) if (entry.turn, place) in tokens else label
        for place, label in enumerate(entry.labels.labels)
    )
    return entry.model_copy(update={"labels": entry.labels.model_copy(update={"labels": labels})})


def _emptied(row: Recorded) -> Recorded:
    """The row of a turn that does not count, without any text."""
    if not isinstance(row.entry, TurnEntry):
        return row
    every = {
        (row.entry.turn, place): f"{REDACTED}-{place}"
        for place in range(len(row.entry.labels.labels))
    }
    return Recorded(seq=row.seq, entry=_without(row.entry, every), plan=None)


def _blank(label: Label, token: str) -> Label:
    """The label without a word of the user's; its slot, scope names and intent stay."""
    gone = Condition(words=REDACTED)
    return label.model_copy(
        update={
            "value": token,
            "statement": "",
            "quote": (),
            "condition": gone if label.condition else None,
            "exception": gone if label.exception else None,
            "replaces": REDACTED if label.replaces else None,
            "until": REDACTED if isinstance(label.until, str) else label.until,
        }
    )


def _plan_shows(row: Recorded, rules: Collection[RuleId]) -> bool:
    """Whether the plan kept with the row shows one of the rules, or a question with its words."""
    if row.plan is None:
        return False
    shown = {rule.id for change in row.plan.changes for rule in change.rules}
    return bool(shown & set(rules)) or bool(row.plan.questions)


def _pins(rules: Iterable[Rule], folded: Folded, now: datetime) -> Iterable[LinkEntry]:
    """Links for what the words had decided: what it replaced, repeated, and what took it back."""
    for rule in rules:
        origin = rule.evidence[0]
        for gone in rule.supersedes:
            yield _link(origin.turn, origin.label, gone, Relation.REPLACES, now)
        for again in rule.evidence[1:]:
            yield _link(again.turn, again.label, rule.id, Relation.SAME, now)
        for turn, label in _taken_back_by(rule, folded):
            yield _link(turn, label, rule.id, Relation.SAME, now)


def _link(turn: TurnId, label: int, rule: RuleId, relation: Relation, now: datetime) -> LinkEntry:
    return LinkEntry(
        turn=turn, label=label, rule=rule, relation=relation, by=LinkedBy.REDACTION, recorded_at=now
    )

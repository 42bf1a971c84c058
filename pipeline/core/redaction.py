"""Take text out of a ledger so that it still folds to the same rules. Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from ...schemas.dimensions import Registry
from ...schemas.ids import RuleId, TurnId
from ...schemas.labels import Intent, Label
from ...schemas.ledger import LinkedBy, LinkEntry, TurnEntry
from ...schemas.plan import Plan
from ...schemas.rule import Rule, State
from ..stores.protocol import Recorded
from .blanking import blank, emptied, holds_text, without_quotes
from .conflict import is_redacted
from .fold import Folded, in_said_order, links_by_turn
from .freezing import Place, explicit, links_for, places
from .going import Going, Known, going, known_of


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


def is_irrevocable(turn: TurnEntry, rules: Iterable[Rule]) -> bool:
    """Whether text that an undo of the turn would bring back is redacted."""
    said = (label.value for label in turn.labels.labels)
    ended = (rule.value for rule in rules if rule.ended_by == turn.turn)
    return any(is_redacted(value) for value in (*said, *ended))


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
    came_to = known_of(folded, registry)
    counting = {id(entry) for entry in in_said_order([row.entry for row in rows])}
    live = [(row, entry) for row, entry in _turns(rows) if id(entry) in counting]
    old = [entry for _, entry in live if entry.recorded_at <= before]
    gone = going(rules, [entry for _, entry in live], old, came_to)
    rewritten = {
        row.seq: emptied(row, entry)
        for row, entry in _turns(rows)
        if id(entry) not in counting and entry.recorded_at <= before and holds_text(entry)
    }
    for row, entry in live:
        after = _rewritten(entry, gone, came_to)
        if after != entry:
            rewritten[row.seq] = Recorded(seq=row.seq, entry=after)
    links = _links([entry for _, entry in live], gone.frozen - _pinned(rows), came_to, now=now)
    return Redacted({**rewritten, **_without_plans(rows, rewritten)}, tuple(links))


def _turns(rows: Iterable[Recorded]) -> Iterator[tuple[Recorded, TurnEntry]]:
    return ((row, row.entry) for row in rows if isinstance(row.entry, TurnEntry))


def _rewritten(entry: TurnEntry, gone: Going, known: Known) -> TurnEntry:
    """The turn without the words that go."""
    told = [
        quote for place, label in places(entry) if place in gone.tokens for quote in label.quote
    ]
    labels = tuple(_left(place, label, told, gone, known) for place, label in places(entry))
    return entry.model_copy(update={"labels": entry.labels.model_copy(update={"labels": labels})})


def _left(place: Place, label: Label, told: Iterable[str], gone: Going, known: Known) -> Label:
    """What is left of a label of a turn of which these quotes go."""
    brought = known.brought(place) if label.intent is Intent.DURABLE else None
    if brought is not None and place in gone.frozen:
        label = explicit(label, brought)  # the other intents inherit nothing
    if place in gone.tokens:
        return blank(label, gone.tokens[place])
    if place not in gone.heirs:
        return without_quotes(label, told)
    telling = [*told, *_words_for(label, gone.heirs[place])]
    return without_quotes(label, telling).model_copy(update={"replaces": None})


def _links(
    entries: Iterable[TurnEntry], frozen: Collection[Place], known: Known, *, now: datetime
) -> Iterator[LinkEntry]:
    """The links that stand for what the labels did."""
    for entry in entries:
        for place, label in places(entry):
            if place in frozen:
                made, asked = known.changes.get(place, ()), known.asked.get(place, ())
                yield from links_for(place, label, made, asked=asked, now=now)


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

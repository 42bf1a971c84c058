"""State and retrieval rows: the rules in force after a row's turns, or for its query."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from ...pipeline.core.fold import Folded, fold
from ...pipeline.core.in_force import in_force
from ...schemas.base import Shape
from ...schemas.dimensions import Registry
from ...schemas.labels import Intent, Label, TurnLabels
from ...schemas.ledger import TurnEntry
from ...schemas.rule import Rule
from ...schemas.turn import Turn
from ..behaviour.answers import Answered
from ..labels.matcher import Meant, match
from ..labels.verdict import Verdict
from .row_units import place, seed_id, seed_turn, seeds_of, turn_units
from .rows import Row, Seed

_AFTER = datetime(2026, 3, 2, 18, tzinfo=UTC)


class RowState(Shape):
    """The verdict on the rules in force of one row."""

    id: str
    passed: bool
    missing: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    found: tuple[str, ...] = ()


def fold_row(row: Row, answers: Mapping[str, Answered], *, registry: Registry) -> Folded:
    """The rules after the row's seeds and turns."""
    entries = [_seed_entry(row, at, seed, answers) for at, seed in enumerate(seeds_of(row))]
    for unit in turn_units(row):
        labels = answers[unit.id].labels if unit.id in answers else None
        if labels is not None:
            entries.append(_entry(unit.turn, labels))
    return fold(entries, registry=registry)


def _seed_entry(row: Row, at: int, seed: Seed, answers: Mapping[str, Answered]) -> TurnEntry:
    """The entry of a rule that is there before: it is kept in the row's own words."""
    answered = answers.get(seed_id(row, at))
    label = seed.label or _durable(answered.labels if answered else None) or _plain(seed)
    named = label.model_copy(update={"statement": seed.text})
    return _entry(seed_turn(row, at, seed), TurnLabels(labels=(named,)))


def _durable(labels: TurnLabels | None) -> Label | None:
    found = labels.labels if labels else ()
    return next((label for label in found if label.intent is Intent.DURABLE), None)


def _plain(seed: Seed) -> Label:
    """A rule that the labeller did not see as one: it is one all the same, of no known slot."""
    return Label(intent=Intent.DURABLE, dimension="other", value=seed.text or "?")


def _entry(turn: Turn, labels: TurnLabels) -> TurnEntry:
    return TurnEntry(
        turn=turn.id,
        text_hash=turn.text_hash,
        said_at=turn.said_at,
        index=turn.index,
        context=turn.context,
        reacts_to=turn.reacts_to,
        labels=labels,
        recorded_at=turn.said_at,
    )


def judge_row_state(row: Row, folded: Folded) -> RowState:
    """Judge the rules in force of a fresh session, by their words."""
    context = place(row, conversation="fresh")
    held = in_force(folded.rules, context=context, as_of=_AFTER).rules
    wanted = {text: _best(text, held) for text in row.gold.in_force or ()}
    banned = {text: _best(text, held) for text in row.gold.not_in_force}
    return _state(row, held, wanted, banned)


def judge_retrieval(row: Row, folded: Folded) -> RowState:
    """Judge the rules in force for a query: its seeds keep their words, so these must be equal."""
    query = row.query
    context = place(row, query.context if query else None, conversation="query")
    held = in_force(folded.rules, context=context, as_of=_AFTER).rules
    stated = {rule.statement for rule in held}
    right = set(row.gold.in_force or ())
    named = {seed.id or str(at): seed.text for at, seed in enumerate(row.rules)}
    right = {named.get(text, text) for text in right}
    return RowState(
        id=row.id,
        passed=stated == right,
        missing=tuple(sorted(right - stated)),
        unwanted=tuple(sorted(stated - right)),
        found=tuple(rule.statement for rule in held),
    )


def _best(text: str, rules: Sequence[Rule]) -> Verdict:
    verdicts = {_means(rule, text) for rule in rules}
    ranked = (Verdict.SAME, Verdict.UNDECIDED)
    return next((each for each in ranked if each in verdicts), Verdict.DIFFERENT)


def _means(rule: Rule, text: str) -> Verdict:
    if rule.statement == text:
        return Verdict.SAME
    described = Meant(
        dimensions=frozenset({rule.dimension}),
        target=rule.target,
        value=rule.value,
        polarity=rule.polarity,
        texts=(rule.statement,),
    )
    return match(Meant(texts=(text,)), described).verdict


def _state(
    row: Row,
    held: Sequence[Rule],
    wanted: Mapping[str, Verdict],
    banned: Mapping[str, Verdict],
) -> RowState:
    missing = tuple(text for text, found in wanted.items() if found is Verdict.DIFFERENT)
    unwanted = tuple(text for text, found in banned.items() if found is Verdict.SAME)
    both = [*wanted.items(), *banned.items()]
    undecided = tuple(text for text, found in both if found is Verdict.UNDECIDED)
    return RowState(
        id=row.id,
        passed=not (missing or unwanted or undecided),
        missing=missing,
        unwanted=unwanted,
        undecided=undecided,
        found=tuple(rule.statement for rule in held),
    )

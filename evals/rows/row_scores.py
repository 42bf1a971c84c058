"""The scores of third-party rows, in the order that their format asks for."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ...schemas.base import Shape
from ...schemas.dimensions import Registry
from ...schemas.labels import Intent, Label, TurnLabels
from ..behaviour.answers import Answered
from ..labels.class_scores import ClassScores, class_scores
from ..labels.unit_score import Classes
from ..reports.stats import Estimate, share
from ..states.superseding import superseding
from .row_readings import (
    listed_dimensions,
    listed_scopes,
    row_dimensions,
    row_intents,
    row_scopes,
)
from .row_state import RowState, fold_row, judge_retrieval, judge_row_state
from .row_units import asks_for_state, seeds_of, unit_id
from .rows import Row, RowIntent, RowKind


class RowScore(Shape):
    """One row: what was wanted, what came, and whether that counts as right.

    Attributes:
        stored: The labelled turn left a record of a rule.
        proposed: It left a proposal, which is not in force.
        deleted: It took a record away, or said to.
        intent: None where the row gives none; so are scope and dimension, also without a label.
    """

    id: str
    language: str
    source: str
    hard: bool
    labelled: bool
    store: bool | None = None
    delete: bool = False
    stored: bool = False
    proposed: bool = False
    deleted: bool = False
    classes: Classes | None = None
    intent: bool | None = None
    scope: bool | None = None
    dimension: bool | None = None


class RowScores(Shape):
    """All figures, in the order of the format.

    Attributes:
        false_store: Records made from turns that must leave none; overall, on hard rows, by
            language and source. A proposal is no record in force: `false_proposal` counts those.
        recall: Records made from turns that must leave one.
        delete_recall: Turns that must take a record away and do, or say so where none is seeded.
        intent: Intent against the accepted ones.
        scope: Against the list, on rows that got a label.
        dimension: The same.
        states: Rows that give the rules in force afterwards.
        retrievals: Rows that give the rules in force for a query.
    """

    rows: int
    not_labelled: int
    false_store: Estimate
    false_store_hard: Estimate
    false_store_by_language: Mapping[str, Estimate]
    false_store_by_source: Mapping[str, Estimate]
    false_proposal: Estimate
    recall: Estimate
    recall_by_language: Mapping[str, Estimate]
    delete_recall: Estimate
    intent: Estimate
    intents: ClassScores
    scope: Estimate
    dimension: Estimate
    states: Estimate
    states_undecided: int
    retrievals: Estimate
    retrieval_recall: Estimate
    failed: tuple[RowScore, ...] = ()
    failed_states: tuple[RowState, ...] = ()


def score_rows(
    rows: Sequence[Row], answers: Mapping[str, Answered], *, registry: Registry
) -> RowScores:
    """Score all rows."""
    scored = [_score(row, answers, registry) for row in rows if row.kind is RowKind.LABELS]
    states = [
        judge_row_state(row, fold_row(row, answers, registry=registry))
        for row in rows
        if asks_for_state(row)
    ]
    retrievals = [
        judge_retrieval(row, fold_row(row, answers, registry=registry))
        for row in rows
        if row.kind is RowKind.RETRIEVAL
    ]
    return _sums(rows, scored, states, retrievals)


def _score(row: Row, answers: Mapping[str, Answered], registry: Registry) -> RowScore:
    id = unit_id(row, row.labelled_turn)
    answer = answers[id].labels if id in answers else None
    plans = fold_row(row, answers, registry=registry).plans
    plan = next((each for each in reversed(plans) if each.turn == id), None)
    labels = answer.labels if answer else ()
    intents = {label.intent for label in labels}
    readings = row_intents(answer, superseding=superseding(plan))
    gold = row.gold
    return RowScore(
        id=row.id,
        language=row.lang,
        source=row.source,
        hard=gold.hard,
        labelled=answer is not None,
        store=gold.store if isinstance(gold.store, bool) else None,
        delete=gold.store == "delete",
        stored=_stored(row, answer),
        proposed=Intent.INFERRED in intents,
        deleted=bool(intents & {Intent.FORGET, Intent.RETIRE}) and _is_gone(row, answers, registry),
        classes=_classes(row, readings, answer),
        intent=_takes_intent(row, readings, answer),
        scope=_any(labels, listed_scopes(gold.scope), row_scopes),
        dimension=_any(
            labels,
            listed_dimensions(gold.dimension),
            lambda label: row_dimensions(label, registry=registry),
        ),
    )


def _stored(row: Row, answer: TurnLabels | None) -> bool:
    """A durable label leaves a record; where an inference is wanted, so does a proposal."""
    wanted = {row.gold.intent, *row.gold.accept_intents}
    kinds = [Intent.DURABLE, *([Intent.INFERRED] if RowIntent.INFERENCE in wanted else [])]
    return any(label.intent in kinds for label in (answer.labels if answer else ()))


def _is_gone(row: Row, answers: Mapping[str, Answered], registry: Registry) -> bool:
    """Whether a rule that was there before is not in force any more; true where none was."""
    if not seeds_of(row):
        return True
    held = judge_row_state(row, fold_row(row, answers, registry=registry)).found
    return any(seed.text not in held for seed in seeds_of(row))


def _takes_intent(row: Row, readings: frozenset[str], answer: TurnLabels | None) -> bool | None:
    if row.gold.intent is None:
        return None
    right = {row.gold.intent, *row.gold.accept_intents}
    return answer is not None and bool(readings & right)


def _classes(row: Row, readings: frozenset[str], answer: TurnLabels | None) -> Classes | None:
    wanted = row.gold.intent
    if wanted is None:
        return None
    if answer is None:
        return Classes(wanted=wanted, got="not labelled")
    right = readings & {wanted, *row.gold.accept_intents}
    return Classes(wanted=wanted, got=wanted if right else min(readings))


def _any(
    labels: Sequence[Label], listed: frozenset[str], read: Callable[[Label], frozenset[str]]
) -> bool | None:
    """Whether a label has a value of the list; None where there is no list, or no label."""
    if not listed or not labels:
        return None
    return any(read(label) & listed for label in labels)


def _sums(
    rows: Sequence[Row],
    scored: Sequence[RowScore],
    states: Sequence[RowState],
    retrievals: Sequence[RowState],
) -> RowScores:
    empty = [each for each in scored if each.store is False]
    must = [each for each in scored if each.store is True]
    delete = [each for each in scored if each.delete]
    pairs = [(each.classes,) if each.classes else () for each in scored]
    return RowScores(
        rows=len(rows),
        not_labelled=sum(not each.labelled for each in scored),
        false_store=_share(empty, lambda each: each.stored),
        false_store_hard=_share([e for e in empty if e.hard], lambda each: each.stored),
        false_store_by_language=_by(empty, lambda each: each.language),
        false_store_by_source=_by(empty, lambda each: each.source),
        false_proposal=_share(empty, lambda each: each.proposed),
        recall=_share(must, lambda each: each.stored),
        recall_by_language=_by(must, lambda each: each.language),
        delete_recall=_share(delete, lambda each: each.deleted),
        intent=_given(scored, lambda each: each.intent),
        intents=class_scores(pairs, [each.id for each in scored]),
        scope=_given(scored, lambda each: each.scope),
        dimension=_given(scored, lambda each: each.dimension),
        states=share((each.passed for each in states), [each.id for each in states]),
        states_undecided=sum(bool(each.undecided) for each in states),
        retrievals=share((each.passed for each in retrievals), [each.id for each in retrievals]),
        retrieval_recall=share(
            (not each.missing for each in retrievals), [each.id for each in retrievals]
        ),
        failed=tuple(each for each in scored if _is_failed(each)),
        failed_states=tuple(each for each in (*states, *retrievals) if not each.passed),
    )


def _is_failed(score: RowScore) -> bool:
    stored_wrong = score.store is not None and score.store is not score.stored
    not_deleted = score.delete and not score.deleted
    return stored_wrong or not_deleted or score.intent is False


def _share(rows: Sequence[RowScore], hit: Callable[[RowScore], bool]) -> Estimate:
    return share((hit(row) for row in rows), [row.id for row in rows])


def _by(rows: Iterable[RowScore], name: Callable[[RowScore], str]) -> dict[str, Estimate]:
    listed = list(rows)
    return {
        each: share(row.stored for row in listed if name(row) == each)
        for each in sorted({name(row) for row in listed})
    }


def _given(rows: Iterable[RowScore], value: Callable[[RowScore], bool | None]) -> Estimate:
    listed = [row for row in rows if value(row) is not None]
    return share((value(row) is True for row in listed), [row.id for row in listed])

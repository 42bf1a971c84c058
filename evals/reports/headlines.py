"""The figures of a report that a reader looks at first, by name and in order."""

from collections.abc import Iterator

from ...schemas.base import Shape
from ..behaviour.behaviour import BehaviourScores
from ..labels.label_scores import LabelScores
from ..rows.row_scores import RowScores
from .report import Report, StateScores
from .stats import Estimate


class Headline(Shape):
    """One figure.

    Attributes:
        low_is_good: Whether less is better, as with false stores.
        counts: Whether a move for the worse makes a run worse; not so for what is the answering
            model's doing.
        target: What it should reach, where there is one.
    """

    name: str
    estimate: Estimate
    low_is_good: bool = False
    counts: bool = True
    target: float | None = None

    @property
    def reached(self) -> bool | None:
        """Whether the target is reached; None without one, or without a value."""
        if self.target is None or self.estimate.value is None:
            return None
        if self.low_is_good:
            return self.estimate.value <= self.target
        return self.estimate.value >= self.target


def headlines(report: Report) -> tuple[Headline, ...]:
    """The figures of all levels that ran."""
    found: list[Headline] = []
    for suite, scores in (report.labels or {}).items():
        found += _of_labels(suite, scores)
    if report.state:
        found += _of_state(report.state)
    if report.behaviour:
        found += _of_behaviour(report.behaviour)
    if report.rows:
        found += _of_rows(report.rows)
    return tuple(found)


def _of_labels(suite: str, scores: LabelScores) -> Iterator[Headline]:
    yield Headline(name=f"{suite}: intent F1 (macro)", estimate=scores.intent.macro_f1, target=0.70)
    yield Headline(name=f"{suite}: dimension F1 (macro)", estimate=scores.dimension.macro_f1)
    yield Headline(name=f"{suite}: scope F1 (macro)", estimate=scores.scope.macro_f1)
    yield Headline(name=f"{suite}: exact turns", estimate=scores.exact_turn)
    yield Headline(name=f"{suite}: exact turns, values too", estimate=scores.exact_turn_and_value)
    yield Headline(
        name=f"{suite}: false stores",
        estimate=scores.false_store,
        low_is_good=True,
        target=0.08,
    )
    yield Headline(
        name=f"{suite}: recall of what must be stored", estimate=scores.store_recall, target=0.75
    )
    yield Headline(name=f"{suite}: recall of what must be deleted", estimate=scores.delete_recall)


def _of_state(state: StateScores) -> Iterator[Headline]:
    passed = Estimate(
        value=state.passed / state.total if state.total else None,
        hits=state.passed,
        of=state.total,
    )
    yield Headline(name="state: cases passed", estimate=passed)


def _of_behaviour(behaviour: BehaviourScores) -> Iterator[Headline]:
    yield Headline(name="behaviour: delivered", estimate=behaviour.delivered)
    yield Headline(
        name="behaviour: delivered and followed", estimate=behaviour.followed, counts=False
    )


def _of_rows(rows: RowScores) -> Iterator[Headline]:
    yield Headline(name="rows: false stores", estimate=rows.false_store, low_is_good=True)
    yield Headline(
        name="rows: false stores, hard rows", estimate=rows.false_store_hard, low_is_good=True
    )
    yield Headline(name="rows: recall of what must be stored", estimate=rows.recall)
    yield Headline(name="rows: recall of what must be deleted", estimate=rows.delete_recall)
    yield Headline(name="rows: intent", estimate=rows.intent)
    yield Headline(name="rows: scope", estimate=rows.scope)
    yield Headline(name="rows: dimension", estimate=rows.dimension)
    yield Headline(name="rows: states", estimate=rows.states)
    yield Headline(name="rows: retrievals", estimate=rows.retrievals)

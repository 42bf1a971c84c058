"""Level 1: how well the labels are told, over all turns of a suite."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ...schemas.base import Shape
from ..reports.stats import Estimate, share
from .class_scores import ClassScores, class_scores
from .unit_score import UnitScore
from .verdict import Verdict

KEYWORD_FLOOR = (0.121, 0.686)
"""False stores and recall of a rule of keywords on third-party rows: what must be beaten."""


class Stratum(Shape):
    """The same figures for one kind or language.

    Attributes:
        exact: Turns with exactly the right labels.
        false_store: Records made from turns that must leave none.
        store_recall: Records made from turns that must leave one.
    """

    turns: int
    exact: Estimate
    false_store: Estimate
    store_recall: Estimate


class LabelScores(Shape):
    """The label scores of one suite.

    Attributes:
        not_labelled: Turns without an answer: counted as missed, and shown apart.
        exact_turn: Intent, dimension, scope and whether there is a condition are right for each
            label, and none is more.
        exact_turn_and_value: The same, and each value is right for sure.
        false_store: Share of the turns that must leave no record which leave one.
        false_proposal: Share of the same turns which leave a proposal; it is not in force.
        store_recall: Share of the turns that must leave a record which do.
        delete_recall: Share of the turns that must take a record away which try to.
        values: How the values of paired labels compare; undecided is never counted as right.
    """

    turns: int
    not_labelled: int
    intent: ClassScores
    dimension: ClassScores
    scope: ClassScores
    exact_turn: Estimate
    exact_turn_and_value: Estimate
    false_store: Estimate
    false_proposal: Estimate
    store_recall: Estimate
    delete_recall: Estimate
    values: Mapping[str, int]
    by_kind: Mapping[str, Stratum]
    by_language: Mapping[str, Stratum]


def label_scores(units: Sequence[UnitScore]) -> LabelScores:
    """All figures of one suite; each turn is one unit."""
    groups = [unit.group for unit in units]
    return LabelScores(
        turns=len(units),
        not_labelled=sum(not unit.labelled for unit in units),
        intent=class_scores([unit.intents for unit in units], groups),
        dimension=class_scores([unit.dimensions for unit in units], groups),
        scope=class_scores([unit.scopes for unit in units], groups),
        exact_turn=share((unit.exact for unit in units), groups),
        exact_turn_and_value=share((unit.exact_value for unit in units), groups),
        false_store=_share(units, lambda unit: unit.store is False, lambda unit: unit.stored),
        false_proposal=_share(units, lambda unit: unit.store is False, lambda unit: unit.proposed),
        store_recall=_share(units, lambda unit: unit.store is True, lambda unit: unit.stored),
        delete_recall=_share(units, lambda unit: unit.delete, lambda unit: unit.deleted),
        values=_values(units),
        by_kind=_strata(units, lambda unit: unit.kind),
        by_language=_strata(units, lambda unit: unit.language),
    )


Test = Callable[[UnitScore], bool]


def _share(units: Iterable[UnitScore], counts: Test, hit: Test) -> Estimate:
    counted = [unit for unit in units if counts(unit)]
    return share((hit(unit) for unit in counted), [unit.group for unit in counted])


def _values(units: Iterable[UnitScore]) -> dict[str, int]:
    found = [value for unit in units for value in unit.values]
    return {verdict: found.count(verdict) for verdict in Verdict}


def _strata(units: Sequence[UnitScore], name_of: Callable[[UnitScore], str]) -> dict[str, Stratum]:
    names = sorted({name_of(unit) for unit in units})
    return {name: _stratum([unit for unit in units if name_of(unit) == name]) for name in names}


def _stratum(units: Sequence[UnitScore]) -> Stratum:
    return Stratum(
        turns=len(units),
        exact=share(unit.exact for unit in units),
        false_store=share(unit.stored for unit in units if unit.store is False),
        store_recall=share(unit.stored for unit in units if unit.store is True),
    )

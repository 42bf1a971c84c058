"""Count what a label set holds, and what its rules went through. Pure."""

from collections import Counter
from collections.abc import Iterable

from pydantic import Field

from ...schemas.base import Shape
from ...schemas.ids import SubjectId
from ...schemas.labels import Label
from ...schemas.plan import Row
from ...schemas.scope import EVERYWHERE
from .folding import Terms, in_order, planned
from .row import LabelRow, RowStatus

MOST_ASKED = 20
"""How many subjects are listed as those with most questions."""

REPLACED = (Row.REVISE, Row.REPLACE_VALUE, Row.FLIP_POLARITY, Row.SWEEP)
FORGOTTEN = (Row.FORGET, Row.RETIRE)
CONTRADICTED = (Row.FLIP_POLARITY, Row.LATER_QUOTE_WINS, Row.UNSETTLED, Row.DROP_PROPOSAL)


class Asked(Shape):
    """A subject with open questions."""

    subject: SubjectId
    questions: int


class Tally(Shape):
    """All that a report says, as counts.

    Attributes:
        status: Turns by what became of them.
        labels: Labels in all.
        none_reasons: Turns without labels by the reason.
        changes: What turns changed, by row of the reconcile table.
        states: Rules by state.
        most_asked: The subjects with most open questions, the most first.
    """

    subjects: int = 0
    turns: int = 0
    status: Counter[str] = Field(default_factory=Counter[str])
    languages: Counter[str] = Field(default_factory=Counter[str])
    labelled_languages: Counter[str] = Field(default_factory=Counter[str])
    labels: int = 0
    intents: Counter[str] = Field(default_factory=Counter[str])
    dimensions: Counter[str] = Field(default_factory=Counter[str])
    scopes: Counter[str] = Field(default_factory=Counter[str])
    none_reasons: Counter[str] = Field(default_factory=Counter[str])
    machine: Counter[str] = Field(default_factory=Counter[str])
    changes: Counter[str] = Field(default_factory=Counter[str])
    states: Counter[str] = Field(default_factory=Counter[str])
    questions: Counter[str] = Field(default_factory=Counter[str])
    most_asked: tuple[Asked, ...] = ()

    def __add__(self, other: "Tally") -> "Tally":
        """Both counted together."""
        sums: dict[str, object] = {
            name: getattr(self, name) + getattr(other, name) for name in type(self).model_fields
        }
        asked = sorted(
            (*self.most_asked, *other.most_asked), key=lambda each: (-each.questions, each.subject)
        )
        return Tally.model_validate(sums | {"most_asked": tuple(asked[:MOST_ASKED])})


def tally(subject: SubjectId, rows: Iterable[LabelRow], terms: Terms) -> Tally:
    """Count the rows of one subject, and fold them to count what they change."""
    counted = Tally(subjects=1, turns=0)
    rows = list(rows)
    labels: list[Label] = []
    for row in rows:
        _count(row, counted)
        labels += row.entry.labels.labels if row.entry else ()
    for label in labels:
        counted.intents[label.intent.value] += 1
        counted.dimensions[label.dimension] += 1
        counted.scopes[_scope(label)] += 1
    kept, folded = planned(in_order(rows), terms)
    counted.changes.update(change.row.value for _, plan in kept for change in plan.changes)
    counted.states.update(rule.state.value for rule in folded.rules if rule.bound is None)
    counted.questions.update(question.ask.value for question in folded.questions)
    open_questions = len(folded.questions)
    asked = (Asked(subject=subject, questions=open_questions),) if open_questions else ()
    return counted.model_copy(
        update={"turns": len(rows), "labels": len(labels), "most_asked": asked}
    )


def _count(row: LabelRow, counted: Tally) -> None:
    counted.status[row.status.value] += 1
    if row.status is RowStatus.MACHINE:
        counted.machine[row.why or "machine"] += 1
    if row.entry is None:
        return
    language = row.language or "unknown"
    counted.languages[language] += 1
    if row.status is RowStatus.LABELLED:
        counted.labelled_languages[language] += 1
    if row.entry.labels.none_reason:
        counted.none_reasons[row.entry.labels.none_reason.value] += 1


def _scope(label: Label) -> str:
    if label.scope is None:
        return "unsaid"
    if label.scope == "everywhere" or label.scope == EVERYWHERE:
        return "everywhere"
    return " + ".join(label.scope.names)


def share(part: int, whole: int) -> float:
    """The share, 0 of nothing."""
    return part / whole if whole else 0.0


def some(counter: Counter[str], rows: Iterable[Row]) -> int:
    """How many changes are in one of the rows."""
    return sum(counter[row.value] for row in rows)

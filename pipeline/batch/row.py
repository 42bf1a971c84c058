"""One row of a label file: what labelling one turn came to. Rows hold quotes, never a text."""

from enum import StrEnum

from ...schemas.base import Shape
from ...schemas.ids import SubjectId, TurnId, subject_id
from ...schemas.labels import TurnLabels
from ...schemas.ledger import TurnEntry
from ...schemas.outcome import Labelled
from ..stores.records import RecordType
from .readers import Said


class RowStatus(StrEnum):
    """What became of a turn."""

    LABELLED = "labelled"
    NONE = "none"
    CLARIFY = "clarify"
    MACHINE = "machine"
    FAILED = "failed"


class LabelRow(Shape):
    """A turn with its labels, or why it has none.

    Nothing in it depends on the run: the same turn gives the same row, whenever and in whatever
    order turns are labelled.

    Attributes:
        file: The file it comes from.
        line: Its line, or the number of its item.
        language: The language it is written in, where that can be told.
        why: What it is, for a machine's; what failed, for one that could not be labelled.
        entry: What the ledger takes; recorded, as it were, when it was said.
    """

    subject: SubjectId
    turn: TurnId
    status: RowStatus
    file: str
    line: int
    language: str | None = None
    why: str | None = None
    entry: TurnEntry | None = None


ROW: RecordType[LabelRow] = RecordType("label row", LabelRow)


def labelled_row(said: Said, labelled: Labelled, *, tenant: str, language: str | None) -> LabelRow:
    """The row of a turn that was labelled."""
    turn = said.turn
    entry = TurnEntry(
        turn=turn.id,
        text_hash=turn.text_hash,
        said_at=turn.said_at,
        index=turn.index,
        context=turn.context,
        reacts_to=turn.reacts_to,
        references=turn.references,
        labels=labelled.labels,
        labelled_by=labelled.labelled_by,
        recorded_at=turn.said_at,
    )
    row = bare_row(said, _status(labelled.labels), tenant=tenant)
    return row.model_copy(update={"language": language, "entry": entry})


def bare_row(said: Said, status: RowStatus, *, tenant: str, why: str | None = None) -> LabelRow:
    """The row of a turn that has no labels, and never the same as one that has none to have."""
    return LabelRow(
        subject=subject_id(said.speaker, tenant=tenant),
        turn=said.turn.id,
        status=status,
        file=said.place.file,
        line=said.place.line,
        why=why,
    )


def _status(labels: TurnLabels) -> RowStatus:
    if labels.clarify is not None:
        return RowStatus.CLARIFY
    return RowStatus.LABELLED if labels.labels else RowStatus.NONE

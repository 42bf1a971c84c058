"""Fold the label rows of one subject into what a store keeps of it. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from ...schemas.base import Shape
from ...schemas.dimensions import Registry
from ...schemas.ids import SubjectId, TurnId
from ...schemas.ledger import TurnEntry
from ...schemas.plan import Plan
from ...schemas.rule import State
from ..core.fold import Folded, advance, position
from ..core.reconcile import DEFAULT_SIGNALS
from ..keeper import Keeper
from ..stores.memory import MemoryStore
from ..stores.protocol import Write
from ..stores.records import ENTRY, RecordType
from .row import LabelRow


class Terms(Shape):
    """How rows are folded.

    Attributes:
        signals: How many inferred signals put a proposal in force.
        undo_window: How long forgotten text stays; None retains it.
        as_of: The day that the undo window is counted back from; None is, for each subject, the
            time of its latest turn.
    """

    registry: Registry
    signals: int = DEFAULT_SIGNALS
    undo_window: timedelta | None = None
    as_of: datetime | None = None


class Reconciled(Shape):
    """What a store keeps of one subject."""

    subject: SubjectId
    write: Write


RECONCILED: RecordType[Reconciled] = RecordType("reconciled subject", Reconciled)


def fold_rows(subject: SubjectId, rows: Iterable[LabelRow], terms: Terms) -> Reconciled:
    """Reconcile the turns of one subject in said order, whatever order the rows come in."""
    kept, folded = planned(in_order(rows), terms)
    write = Write(
        entries=tuple(kept), rules=folded.rules, questions=folded.questions, head=folded.head
    )
    return Reconciled(subject=subject, write=_redacted(subject, write, folded, terms))


def planned(
    entries: Iterable[TurnEntry], terms: Terms
) -> tuple[list[tuple[TurnEntry, Plan]], Folded]:
    """Each entry with what it changes, and what all of them come to."""
    folded, kept = Folded(), list[tuple[TurnEntry, Plan]]()
    for version, entry in enumerate(entries):
        before = replace(folded, plans=())
        folded = advance(
            before, entry, registry=terms.registry, signals=terms.signals, version=version
        )
        kept.append((entry, folded.plans[-1]))
    return kept, folded


def in_order(rows: Iterable[LabelRow]) -> Sequence[TurnEntry]:
    """The entries in said order; of two with one turn id the one said later counts."""
    latest: dict[TurnId, TurnEntry] = {}
    for entry in (row.entry for row in rows if row.entry is not None):
        known = latest.get(entry.turn)
        if known is None or _later(entry, known):
            latest[entry.turn] = entry
    return sorted(latest.values(), key=lambda entry: position(entry).key)


def _later(entry: TurnEntry, known: TurnEntry) -> bool:
    """Whether it counts rather than the other, in whatever order the two come."""
    if position(entry).key != position(known).key:
        return position(known).key < position(entry).key
    return entry != known and ENTRY.dump(known) < ENTRY.dump(entry)


def _redacted(subject: SubjectId, write: Write, folded: Folded, terms: Terms) -> Write:
    """The same without the text that the user took back longer ago than the undo window."""
    now = terms.as_of or (folded.head.said_at if folded.head else None)
    if terms.undo_window is None or now is None:
        return write
    before = now - terms.undo_window
    if not any(_is_overdue(each.state, each.ended_at, before) for each in folded.rules):
        return write
    store = MemoryStore()
    store.commit(subject, write, version=0)
    keeper = Keeper(store, terms.registry, signals=terms.signals, undo_window=terms.undo_window)
    keeper.redact_due(subject, before=before, now=now)
    snapshot = store.read(subject)
    return Write(
        entries=tuple((row.entry, row.plan) for row in store.ledger(subject)),
        rules=snapshot.rules,
        questions=snapshot.questions,
        head=snapshot.head,
    )


def _is_overdue(state: State, ended_at: datetime | None, before: datetime) -> bool:
    """Forgotten or put right that long ago; the redaction itself looks closer."""
    ended = state in {State.FORGOTTEN, State.SUPERSEDED}
    return ended and ended_at is not None and ended_at <= before

"""A store for tests and for one process: nothing is kept when it ends."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

from ...schemas.ids import RuleId, SubjectId, TurnId
from ...schemas.ledger import TurnEntry
from ...schemas.plan import Question
from ...schemas.rule import Rule
from ..errors import NotWaitingError, StaleVersionError, UnknownRowError
from .protocol import PendingTurn, Position, Recorded, Snapshot, Write
from .records import check_ids, oldest_first
from .writes import ids_of


@dataclass
class _Kept:
    """What is kept of one subject."""

    version: int = 0
    ledger: list[Recorded] = field(default_factory=list[Recorded])
    rules: dict[RuleId, Rule] = field(default_factory=dict[RuleId, Rule])
    questions: tuple[Question, ...] = ()
    head: Position | None = None

    def write(self, write: Write) -> None:
        for seq, row in write.rewritten.items():
            self.ledger[seq - 1] = row.model_copy(update={"seq": seq})
        for entry, plan in write.entries:
            self.ledger.append(Recorded(seq=len(self.ledger) + 1, entry=entry, plan=plan))
        for rule in write.removed:
            self.rules.pop(rule, None)
        self.rules.update((rule.id, rule) for rule in write.rules)
        self.questions, self.head = write.questions, write.head
        self.version += 1


class MemoryStore:
    """Keeps everything in this process; safe to share between its threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: dict[SubjectId, _Kept] = {}
        self._pending: dict[SubjectId, dict[TurnId, PendingTurn]] = {}

    def read(self, subject: SubjectId) -> Snapshot:
        """The rules and questions of the subject; the empty snapshot for an unknown one."""
        with self._lock:
            kept = self._of(subject)
            return Snapshot(
                version=kept.version,
                rules=tuple(kept.rules.values()),
                questions=kept.questions,
                head=kept.head,
            )

    def ledger(self, subject: SubjectId) -> Sequence[Recorded]:
        """All ledger rows in arrival order."""
        with self._lock:
            return tuple(self._of(subject).ledger)

    def seen(self, subject: SubjectId, turn: TurnId) -> TurnEntry | None:
        """The latest entry of the turn id, or None when it was never labelled."""
        check_ids([turn])
        for row in reversed(self.ledger(subject)):
            if isinstance(row.entry, TurnEntry) and row.entry.turn == turn:
                return row.entry
        return None

    def commit(self, subject: SubjectId, write: Write, *, version: int) -> int:
        """Write all of it, or nothing, and return the new version."""
        check_ids(ids_of(write))
        with self._lock:
            kept = self._of(subject)
            if kept.version != version:
                raise StaleVersionError(subject=subject, expected=version, found=kept.version)
            for seq in write.rewritten:
                if not 1 <= seq <= len(kept.ledger):
                    raise UnknownRowError(subject=subject, seq=seq)
            waiting = self._pending.get(subject, {})
            if write.if_waiting and not waiting.keys() >= set(write.labelled):
                raise NotWaitingError(subject=subject, turns=write.labelled)
            kept.write(write)
            self._kept[subject] = kept
            for turn in write.labelled:
                self._pending.get(subject, {}).pop(turn, None)
            return kept.version

    def add_pending(self, pending: PendingTurn) -> None:
        """Keep a turn that could not be labelled; the same turn id replaces its last try."""
        check_ids([pending.subject, pending.turn.id])
        with self._lock:
            self._pending.setdefault(pending.subject, {})[pending.turn.id] = pending

    def put_back(self, pending: PendingTurn) -> bool:
        """Replace the last try of a turn that still waits; False, and nothing written, if not."""
        with self._lock:
            waiting = self._pending.get(pending.subject, {})
            if pending.turn.id not in waiting:
                return False
            waiting[pending.turn.id] = pending
            return True

    def pending(self, subject: SubjectId | None = None) -> Sequence[PendingTurn]:
        """The turns that wait, oldest first; without a subject those of all."""
        check_ids([] if subject is None else [subject])
        with self._lock:
            asked = self._pending if subject is None else [subject]
            return oldest_first(
                turn for each in asked for turn in self._pending.get(each, {}).values()
            )

    def lease(self, *, now: datetime, until: datetime, limit: int) -> Sequence[PendingTurn]:
        """Take turns of any subject that are due, for one worker alone until the time given."""
        with self._lock:
            waiting = oldest_first(
                turn for kept in self._pending.values() for turn in kept.values()
            )
            due = [each for each in waiting if not each.dead and (each.due or now) <= now][:limit]
            taken = [each.model_copy(update={"due": until}) for each in due]
            for each in taken:
                self._pending[each.subject][each.turn.id] = each
            return tuple(taken)

    def subjects(self) -> Sequence[SubjectId]:
        """All subjects with a ledger, sorted."""
        with self._lock:
            return tuple(sorted(self._kept))

    def erase(self, subject: SubjectId) -> None:
        """Remove all that is kept of the subject, pending turns too. There is no undo."""
        check_ids([subject])
        with self._lock:
            self._kept.pop(subject, None)
            self._pending.pop(subject, None)

    def close(self) -> None:
        """Nothing is held open: what was written can still be read."""

    def _of(self, subject: SubjectId) -> _Kept:
        check_ids([subject])
        return self._kept.get(subject) or _Kept()

"""Bring entries into the ledger: read, advance or fold, commit; again if another was first."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from tenacity import retry, retry_if_exception_type, stop_after_delay, wait_random

from ..schemas.dimensions import Registry
from ..schemas.ids import RuleId, SubjectId, TurnId
from ..schemas.ledger import LedgerEntry, LinkedBy, LinkEntry, TurnEntry, VoidEntry
from ..schemas.plan import Change, Plan, Question, Row
from ..schemas.rule import Rule
from .core.conflict import is_redacted
from .core.fold import Folded, advance, fold, position
from .core.reconcile import DEFAULT_SIGNALS
from .core.redaction import is_due, redact
from .errors import StaleVersionError
from .stores.protocol import Recorded, Snapshot, Store, Write

_PATIENCE = 30.0
"""Seconds of trying again while other writers of the same subject come first."""


_again_when_stale = retry(
    retry=retry_if_exception_type(StaleVersionError),
    stop=stop_after_delay(_PATIENCE),
    wait=wait_random(0, 0.02),
    reraise=True,
)


@dataclass(frozen=True)
class Kept:
    """What bringing entries into the ledger came to.

    Attributes:
        plan: What they changed.
        questions: The questions they left open.
        rules: All rules afterwards.
        version: The store version afterwards.
        seen: The turn was there already with the same text: nothing was written.
    """

    plan: Plan
    questions: tuple[Question, ...]
    rules: tuple[Rule, ...]
    version: int
    seen: bool = False


@dataclass(frozen=True)
class Keeper:
    """Writes ledgers and their projections to one store.

    Attributes:
        registry: The dimensions.
        signals: How many signals put an inferred rule in force.
        undo_window: How long forgotten text stays; None retains it for good.
    """

    store: Store
    registry: Registry
    signals: int = DEFAULT_SIGNALS
    undo_window: timedelta | None = None

    def keep(
        self,
        subject: SubjectId,
        *entries: LedgerEntry,
        labelled: Sequence[TurnId] = (),
        if_waiting: bool = False,
    ) -> Kept:
        """Write the entries and the rules they lead to, all or nothing.

        A turn that is there with the same text changes nothing; with other text it replaces
        its entry and the subject is folded anew, and so it is for a turn said before the
        latest one, a link or an undo.

        Args:
            subject: Whose ledger.
            entries: What is to be kept, in arrival order.
            labelled: Turns that no longer wait to be labelled.
            if_waiting: Write nothing when one of them did not wait any more.

        Raises:
            StaleVersionError: If other writers were first for too long; nothing was written.
            NotWaitingError: If a turn was to be written only while it waits, and it did not.
            StoreUnavailableError: If the store cannot be written; nothing was written.
        """
        kept = self._keep(subject, entries, labelled, if_waiting)
        now = entries[-1].recorded_at
        if self.undo_window is not None:
            before = now - self.undo_window
            if any(is_due(rule, before=before) for rule in kept.rules):
                self.redact_due(subject, before=before, now=now)
                after = self.store.read(subject)
                kept = replace(kept, rules=after.rules, version=after.version)
        return kept

    @_again_when_stale
    def _keep(
        self,
        subject: SubjectId,
        entries: Sequence[LedgerEntry],
        labelled: Sequence[TurnId],
        if_waiting: bool,
    ) -> Kept:
        snapshot = self.store.read(subject)
        fresh = tuple(each for each in entries if not self._is_known(subject, each))
        if not fresh:
            return self._seen(subject, snapshot, entries, labelled)
        folded = self._folded(subject, snapshot, fresh)
        plan = _plan_of(fresh[-1], folded, snapshot)
        write = Write(
            entries=tuple((entry, plan) for entry in fresh),
            rules=_changed(snapshot.rules, folded.rules),
            removed=tuple(sorted(_ids(snapshot.rules) - _ids(folded.rules))),
            questions=folded.questions,
            head=folded.head,
            labelled=tuple(labelled),
            if_waiting=if_waiting,
        )
        version = self.store.commit(subject, write, version=snapshot.version)
        raised = _raised(folded, snapshot)
        return Kept(plan=plan, questions=raised, rules=folded.rules, version=version)

    @_again_when_stale
    def redact_due(self, subject: SubjectId, *, before: datetime, now: datetime) -> int:
        """Redact what was taken back, put right or undone by then; how many ledger rows changed.

        Raises:
            StoreUnavailableError: If the store cannot be written; nothing was written.
        """
        rules = [rule.id for rule in self.store.read(subject).rules if is_due(rule, before=before)]
        return self._redact(subject, rules, before=before, now=now)

    @_again_when_stale
    def erase(self, subject: SubjectId, rule: RuleId, *, now: datetime) -> int:
        """Take one rule's text out of everything at once; how many ledger rows changed.

        Raises:
            StoreUnavailableError: If the store cannot be written; nothing was written.
        """
        return self._redact(subject, [rule], before=now, now=now)

    def _redact(
        self, subject: SubjectId, rules: Collection[RuleId], *, before: datetime, now: datetime
    ) -> int:
        snapshot, rows = self.store.read(subject), self.store.ledger(subject)
        folded = self.fold(rows)
        rewritten, links = redact(
            folded, rows, rules=rules, before=before, registry=self.registry, now=now
        )
        if not rewritten:
            return 0
        entries = [rewritten.get(row.seq, row).entry for row in rows]
        after = fold([*entries, *links], registry=self.registry, signals=self.signals)
        write = Write(
            entries=tuple((link, None) for link in links),
            rules=_changed(snapshot.rules, after.rules),
            removed=tuple(sorted(_ids(snapshot.rules) - _ids(after.rules))),
            questions=after.questions,
            head=after.head,
            rewritten=rewritten,
        )
        self.store.commit(subject, write, version=snapshot.version)
        return len(rewritten)

    def fold(self, rows: Sequence[Recorded]) -> Folded:
        """Fold ledger rows in arrival order."""
        entries = [row.entry for row in rows]
        return fold(entries, registry=self.registry, signals=self.signals)

    def _is_known(self, subject: SubjectId, entry: LedgerEntry) -> bool:
        """Whether the turn is there already and says the same, or said it and is redacted."""
        if not isinstance(entry, TurnEntry):
            return False
        seen = self.store.seen(subject, entry.turn)
        if seen is None or seen.text_hash != entry.text_hash:
            return False
        return seen.labels == entry.labels or self._is_redacted(subject, seen)

    def _is_redacted(self, subject: SubjectId, entry: TurnEntry) -> bool:
        """Whether a redaction rewrote the turn, or left links that stand for its words."""
        return any(is_redacted(label.value) for label in entry.labels.labels) or any(
            isinstance(row.entry, LinkEntry)
            and row.entry.turn == entry.turn
            and row.entry.by is LinkedBy.REDACTION
            for row in self.store.ledger(subject)
        )

    def _seen(
        self,
        subject: SubjectId,
        snapshot: Snapshot,
        entries: Sequence[LedgerEntry],
        labelled: Sequence[TurnId],
    ) -> Kept:
        version = snapshot.version
        if labelled:
            write = Write(
                questions=snapshot.questions, head=snapshot.head, labelled=tuple(labelled)
            )
            version = self.store.commit(subject, write, version=version)
        turn = next((each.turn for each in entries if isinstance(each, TurnEntry)), None)
        plan = Plan(turn=turn)
        return Kept(plan=plan, questions=(), rules=snapshot.rules, version=version, seen=True)

    def _folded(
        self, subject: SubjectId, snapshot: Snapshot, entries: Sequence[LedgerEntry]
    ) -> Folded:
        """The rules with the entries: one step where they come last, else the whole fold."""
        entry = entries[0]
        if len(entries) > 1 or isinstance(entry, LinkEntry | VoidEntry):
            return self._all(subject, entries)
        is_edit = isinstance(entry, TurnEntry) and self.store.seen(subject, entry.turn) is not None
        is_late = snapshot.head is not None and not snapshot.head < position(entry)
        if is_edit or is_late:
            return self._all(subject, entries)
        before = Folded(rules=snapshot.rules, questions=snapshot.questions, head=snapshot.head)
        return advance(
            before, entry, registry=self.registry, signals=self.signals, version=snapshot.version
        )

    def _all(self, subject: SubjectId, entries: Sequence[LedgerEntry]) -> Folded:
        known = [row.entry for row in self.store.ledger(subject)]
        return fold([*known, *entries], registry=self.registry, signals=self.signals)


def _plan_of(entry: LedgerEntry, folded: Folded, snapshot: Snapshot) -> Plan:
    """What the entry changed: its own plan, for an undo all the rules that differ by it."""
    if isinstance(entry, VoidEntry):
        changed = _changed(snapshot.rules, folded.rules)
        return Plan(turn=entry.turn, changes=(Change(row=Row.UNDO, rules=changed),))
    if isinstance(entry, TurnEntry | LinkEntry):
        plans = (plan for plan in reversed(folded.plans) if plan.turn == entry.turn)
        return next(plans, Plan(turn=entry.turn))
    return folded.plans[-1]


def _changed(before: Sequence[Rule], after: Sequence[Rule]) -> tuple[Rule, ...]:
    known = {rule.id: rule for rule in before}
    return tuple(rule for rule in after if known.get(rule.id) != rule)


def _ids(rules: Sequence[Rule]) -> frozenset[RuleId]:
    return frozenset(rule.id for rule in rules)


def _raised(folded: Folded, snapshot: Snapshot) -> tuple[Question, ...]:
    known = {question.id for question in snapshot.questions}
    return tuple(question for question in folded.questions if question.id not in known)

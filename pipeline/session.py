"""One object for users: observe turns, answer questions, ask which rules are in force."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self
from uuid import uuid4

from anyio import fail_after, to_thread

from ..schemas.context import Context
from ..schemas.dimensions import Registry, default_registry
from ..schemas.history import Difference, Erased, Explanation, Happened
from ..schemas.ids import QuestionId, RuleId, SubjectId, TurnId, subject_id
from ..schemas.in_force import InForce
from ..schemas.labels import Intent
from ..schemas.ledger import (
    CommandEntry,
    EndEntry,
    EventEntry,
    LedgerEntry,
    Relation,
    TurnEntry,
    VoidEntry,
)
from ..schemas.outcome import Labelled, Outcome, Status
from ..schemas.plan import Ask, Question
from ..schemas.rule import Rule
from ..schemas.turn import Turn
from . import redaction, settle, story
from .errors import (
    LabelError,
    UndoTooLateError,
    UnknownQuestionError,
    UnknownRuleError,
    UnknownTurnError,
    WrongSpeakerError,
)
from .fold import in_said_order
from .in_force import in_force
from .keeper import Keeper, Kept
from .settings import Settings
from .stores.protocol import PendingTurn, Store
from .talk import Talk

if TYPE_CHECKING:
    from .labeller import ModelLabeller


class Labeller(Protocol):
    """Says what a turn says."""

    async def label(self, turn: Turn) -> Labelled:
        """The labels of the turn.

        Raises:
            LabelError: If it could not be labelled.
        """
        ...


def now_in_utc() -> datetime:
    """The time, for callers that bring no clock of their own."""
    return datetime.now(UTC)


class Session:
    """The standing rules of one subject.

    A session may be opened anew for every reply: all that it knows is in the store. It also
    remembers the messages it was given, so that a turn is labelled with those before it.

    Args:
        speaker: Whose rules: a name the host vouches for, never one read from a text.
        store: Where they are kept; by default the database of the settings.
        labeller: What labels turns; by default the model of the settings.
        settings: How; by default read from variables and `henceforth.toml`.
        context: Where this session takes place; a call may say otherwise.
        registry: The dimensions; by default the ones of the settings.
        clock: The time; the pure core never asks for it.
    """

    def __init__(
        self,
        speaker: str,
        *,
        store: Store | None = None,
        labeller: Labeller | None = None,
        settings: Settings | None = None,
        context: Context | None = None,
        registry: Registry | None = None,
        clock: Callable[[], datetime] = now_in_utc,
    ) -> None:
        self.settings = settings or Settings.load()
        self.subject: SubjectId = subject_id(speaker, tenant=self.settings.tenant)
        self.registry = registry or _registry(self.settings)
        self._owns_store = store is None
        self.store = store or _open_store(self.settings)
        self._labeller = labeller
        self._asked: ModelLabeller | None = None
        self._clock = clock
        redacts = self.settings.forgotten == "redact"
        self._keeper = Keeper(
            self.store,
            self.registry,
            signals=self.settings.signals,
            undo_window=self.settings.undo_window if redacts else None,
        )
        given = context or Context()
        self.context = given.model_copy(
            update={"conversation": given.conversation or f"c-{uuid4().hex[:12]}"}
        )
        self._talk = Talk(clock=lambda: clock().astimezone(self.settings.zone))

    async def __aenter__(self) -> Self:
        """The session itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the store, if the session opened it."""
        if self._owns_store:
            self.store.close()

    # --- What the user says --------------------------------------------------

    async def observe(
        self, turn: Turn | str, *, context: Context | None = None, deadline: float | None = None
    ) -> Outcome:
        """Label a user turn, reconcile it, and keep what it changes.

        A turn seen before with the same text changes nothing; with other text it replaces what
        it said then. A turn that cannot be labelled is kept as pending, and the rules stay as
        they are.

        Args:
            turn: The turn, or just its text: then it is said now, after the messages so far.
            context: For a text, where it is said, if not where the session is.
            deadline: Seconds after which the turn is pending and the chat goes on.

        Returns:
            What it said and changed, the questions to ask, or why it is pending.

        Raises:
            WrongSpeakerError: If the turn is another speaker's.
            StoreError: If it could not be kept: nothing was written, and it can be sent again.
        """
        said = turn if isinstance(turn, Turn) else self._talk.turn(turn, context or self.context)
        self._check_speaker(said)
        seen = await to_thread.run_sync(self.store.seen, self.subject, said.id)
        if seen is not None and seen.text_hash == said.text_hash:
            return Outcome(turn=said.id, status=Status.SEEN, labels=seen.labels)
        try:
            with fail_after(deadline):
                labelled = await self._label(said)
        except TimeoutError:
            return await self._postpone(said, f"no labels within {deadline} s")
        except LabelError as error:
            return await self._postpone(said, str(error))
        return await self.keep(said, labelled)

    async def keep(self, turn: Turn, labelled: Labelled) -> Outcome:
        """Reconcile a turn whose labels are given, and keep what it changes."""
        self._check_speaker(turn)
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
            recorded_at=self._clock(),
        )
        kept = await self._keep(entry, labelled=[turn.id])
        if self.settings.links == "model":
            kept = await self._linked(entry, kept)
        return _outcome(entry, kept).model_copy(update={"usage": labelled.usage})

    def replied(self, text: str, *, id: str | None = None) -> None:
        """Remember what the assistant answered, for the labelling of the next turn."""
        self._talk.replied(text, id=id)

    async def retry_pending(
        self, *, each: Callable[[Outcome], None] | None = None
    ) -> tuple[Outcome, ...]:
        """Label the turns that wait, oldest first; those that fail again keep waiting.

        Args:
            each: Told of every turn when it is done.
        """
        outcomes: list[Outcome] = []
        for waiting in await to_thread.run_sync(self.store.pending, self.subject):
            outcomes.append(await self._retry(waiting))
            if each is not None:
                each(outcomes[-1])
        return tuple(outcomes)

    async def pending(self) -> Sequence[PendingTurn]:
        """The turns of this subject that wait to be labelled, oldest first."""
        return await to_thread.run_sync(self.store.pending, self.subject)

    # --- Questions -----------------------------------------------------------

    async def questions(self) -> tuple[Question, ...]:
        """The open questions."""
        return (await to_thread.run_sync(self.store.read, self.subject)).questions

    async def answer(
        self,
        question: QuestionId,
        *,
        rules: Collection[RuleId] = (),
        relation: Relation | None = None,
        intent: Intent | None = None,
    ) -> Outcome:
        """Settle an open question with the user's word.

        Args:
            question: Its id.
            rules: The candidates that are meant; none of them, when empty.
            relation: How the label stands to them, where the question leaves that open too.
            intent: For an instruction that was unclear: what it is; none at all, when None.

        Raises:
            UnknownQuestionError: If no such question is open.
            UnfitAnswerError: If the question does not allow the answer.
        """
        asked = next((each for each in await self.questions() if each.id == question), None)
        if asked is None:
            raise UnknownQuestionError(question=question)
        entry = await self._entry(asked.turn)
        now = self._clock()
        entries: tuple[LedgerEntry, ...]
        if asked.ask is Ask.CLARIFY:
            entries = (settle.clarified(asked, entry, intent=intent, now=now),)
        else:
            entries = settle.links(asked, chosen=rules, relation=relation, now=now)
        kept = await self._keep(*entries)
        return _outcome(await self._entry(asked.turn), kept)

    # --- What holds ----------------------------------------------------------

    async def in_force(
        self,
        context: Context | None = None,
        *,
        as_of: datetime | None = None,
        events: Collection[str] = (),
    ) -> InForce:
        """The rules in force for a context at a time.

        Args:
            context: The moment; by default that of the session.
            as_of: The time; by default now. Its zone gives the day that a last day is compared
                with; the zone of the settings, when not given.
            events: What has happened, in the words of the rules that wait for it.
        """
        snapshot = await to_thread.run_sync(self.store.read, self.subject)
        return in_force(
            snapshot.rules,
            context=context or self.context,
            as_of=as_of or self._clock().astimezone(self.settings.zone),
            events=events,
            registry=self.registry,
        )

    async def rules(self) -> tuple[Rule, ...]:
        """All rules, in force or not."""
        return (await to_thread.run_sync(self.store.read, self.subject)).rules

    async def history(self) -> tuple[Happened, ...]:
        """All that counts in the ledger, in said order, each with what it changed."""
        rows = await to_thread.run_sync(self.store.ledger, self.subject)
        return story.history([row.entry for row in rows], self._keeper.fold(rows))

    async def explain(self, rule: RuleId) -> Explanation:
        """Why a rule is as it is.

        Raises:
            UnknownRuleError: If there is no such rule.
        """
        rows = await to_thread.run_sync(self.store.ledger, self.subject)
        return story.explain(rule, [row.entry for row in rows], self._keeper.fold(rows))

    async def difference(self, turn: TurnId) -> Difference:
        """The saved state before and after a turn.

        Raises:
            UnknownTurnError: If there is no such turn.
        """
        rows = await to_thread.run_sync(self.store.ledger, self.subject)
        return story.difference(turn, [row.entry for row in rows], self._keeper.fold(rows))

    # --- What the host says --------------------------------------------------

    async def forget(self, rule: RuleId) -> Outcome:
        """Take a rule out of force on the user's word, by its id."""
        return await self._command(rule, "forget")

    async def confirm(self, rule: RuleId) -> Outcome:
        """Put a proposed rule in force on the user's word."""
        return await self._command(rule, "confirm")

    async def undo(self, turn: TurnId | None = None) -> Outcome:
        """Make a turn count as never said; by default the latest.

        Raises:
            UnknownTurnError: If there is no such turn, or it was undone already.
            UndoTooLateError: If what the turn took back is redacted.
        """
        entry = await self._entry(turn)
        if any(redaction.is_redacted_value(label.value) for label in entry.labels.labels):
            raise UndoTooLateError(turn=entry.turn)
        kept = await self._keep(VoidEntry(turn=entry.turn, recorded_at=self._clock()))
        return Outcome(
            turn=entry.turn, status=Status.UNDONE, changes=kept.plan.changes, version=kept.version
        )

    async def end(self, *, conversation: str | None = None, task: str | None = None) -> Outcome:
        """End a task, or without a task the whole conversation: its rules for now end too."""
        now = self._clock()
        where = conversation or self.context.conversation
        return await self._told(
            EndEntry(conversation=where, task=task, said_at=now, recorded_at=now)
        )

    async def happened(self, event: str) -> Outcome:
        """Tell that an event came about that rules wait for: those rules end."""
        now = self._clock()
        return await self._told(EventEntry(event=event, said_at=now, recorded_at=now))

    async def erase(self, rule: RuleId | None = None) -> Erased:
        """Remove a rule's text everywhere at once, or without a rule all that is kept.

        Raises:
            UnknownRuleError: If there is no such rule.
        """
        if rule is None:
            rows = await to_thread.run_sync(self.store.ledger, self.subject)
            await to_thread.run_sync(self.store.erase, self.subject)
            return Erased(ledger_rows=len(rows))
        if rule not in {each.id for each in await self.rules()}:
            raise UnknownRuleError(rule=rule)
        await self.forget(rule)
        now = self._clock()
        changed = await to_thread.run_sync(lambda: self._keeper.erase(self.subject, rule, now=now))
        return Erased(rule=rule, ledger_rows=changed)

    async def redact_due(self) -> int:
        """Redact what was taken back longer ago than the undo window.

        Returns:
            How many ledger rows changed; none where the settings retain forgotten text.
        """
        if self.settings.forgotten == "retain":
            return 0
        now = self._clock()
        before = now - self.settings.undo_window
        return await to_thread.run_sync(
            lambda: self._keeper.redact_due(self.subject, before=before, now=now)
        )

    # --- Inside --------------------------------------------------------------

    def _check_speaker(self, turn: Turn) -> None:
        speaker = self.subject.partition("/")[2]
        if turn.speaker is not None and turn.speaker != speaker:
            raise WrongSpeakerError(turn=turn.id, speaker=turn.speaker, subject=self.subject)

    async def _label(self, turn: Turn) -> Labelled:
        return await (self._labeller or self._model()).label(turn)

    def _model(self) -> "ModelLabeller":
        """The model of the settings, made when it is first asked."""
        if self._asked is None:
            from .labeller import ModelLabeller  # slow to import, and not every session labels

            self._asked = ModelLabeller(self.settings, registry=self.registry)
        return self._asked

    async def _linked(self, entry: TurnEntry, kept: Kept) -> Kept:
        """Put the questions to the model first; what it does not settle stays open."""
        still_open: list[Question] = []
        for question in tuple(kept.questions):
            settled = await self._settled_by_model(entry, question, kept.rules)
            if settled:
                kept = await self._keep(*settled)
            else:
                still_open.append(question)
        return replace(kept, questions=tuple(still_open))

    async def _settled_by_model(
        self, entry: TurnEntry, question: Question, rules: Sequence[Rule]
    ) -> tuple[LedgerEntry, ...]:
        if question.ask is Ask.CLARIFY:
            return ()
        label = entry.labels.labels[question.label]
        candidates = [rule for rule in rules if rule.id in question.candidates]
        try:
            relations = await self._model().link(label, candidates, turn=entry.turn)
        except LabelError:
            return ()
        return settle.links_of_model(question, relations, now=self._clock())

    async def _postpone(self, turn: Turn, reason: str, *, tries: int = 1) -> Outcome:
        pending = PendingTurn(
            subject=self.subject, turn=turn, reason=reason, tries=tries, since=self._clock()
        )
        await to_thread.run_sync(self.store.add_pending, pending)
        return Outcome(turn=turn.id, status=Status.PENDING, pending=reason)

    async def _retry(self, waiting: PendingTurn) -> Outcome:
        try:
            labelled = await self._label(waiting.turn)
        except LabelError as error:
            return await self._postpone(waiting.turn, str(error), tries=waiting.tries + 1)
        return await self.keep(waiting.turn, labelled)

    async def _command(self, rule: RuleId, command: str) -> Outcome:
        if rule not in {each.id for each in await self.rules()}:
            raise UnknownRuleError(rule=rule)
        now = self._clock()
        return await self._told(
            CommandEntry.model_validate(
                {"command": command, "rule": rule, "said_at": now, "recorded_at": now}
            )
        )

    async def _told(self, entry: CommandEntry | EndEntry | EventEntry) -> Outcome:
        kept = await self._keep(entry)
        return Outcome(
            turn=None, status=Status.DONE, changes=kept.plan.changes, version=kept.version
        )

    async def _keep(self, *entries: LedgerEntry, labelled: Sequence[TurnId] = ()) -> Kept:
        def write() -> Kept:
            return self._keeper.keep(self.subject, *entries, labelled=labelled)

        return await to_thread.run_sync(write)

    async def _entry(self, turn: TurnId | None) -> TurnEntry:
        """The entry of the turn that counts; without a turn, the latest."""
        rows = await to_thread.run_sync(self.store.ledger, self.subject)
        turns = [e for e in in_said_order([r.entry for r in rows]) if isinstance(e, TurnEntry)]
        found = [entry for entry in turns if turn is None or entry.turn == turn]
        if not found:
            raise UnknownTurnError(turn=turn)
        return found[-1]


def _registry(settings: Settings) -> Registry:
    if settings.registry is None:
        return default_registry()
    return default_registry().extended(settings.registry.read_text("utf-8"))


def _open_store(settings: Settings) -> Store:
    from .stores.sql import SqlStore  # slow to import, and not every session needs it

    return SqlStore(settings.db)


def _outcome(entry: TurnEntry, kept: Kept) -> Outcome:
    labels = entry.labels
    if kept.seen:
        status = Status.SEEN
    elif labels.clarify is not None:
        status = Status.CLARIFY
    else:
        status = Status.LABELLED if labels.labels else Status.NONE
    return Outcome(
        turn=entry.turn,
        status=status,
        labels=labels,
        changes=kept.plan.changes,
        questions=kept.questions,
        version=kept.version,
    )

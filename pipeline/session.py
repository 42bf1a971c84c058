"""One object for users: observe turns, answer questions, ask which rules are in force."""

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Self
from uuid import uuid4

from anyio import to_thread

from ..schemas.context import Context
from ..schemas.dimensions import Registry
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
from .core import settle, story
from .core.fold import in_said_order
from .core.in_force import in_force
from .core.redaction import is_irrevocable
from .errors import (
    UndoTooLateError,
    UnknownQuestionError,
    UnknownRuleError,
    UnknownTurnError,
)
from .intake import Intake, Labeller, outcome_of
from .keeper import Keeper
from .registry import registry_of
from .settings import Settings
from .stores.protocol import PendingTurn, Store
from .talk import Talk

if TYPE_CHECKING:
    pass


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
        self.registry = registry or registry_of(self.settings)
        self._owns_store = store is None
        self.store = store or _open_store(self.settings)
        self._clock = clock
        redacts = self.settings.forgotten == "redact"
        self._keeper = Keeper(
            self.store,
            self.registry,
            signals=self.settings.signals,
            undo_window=self.settings.undo_window if redacts else None,
        )
        self._intake = Intake(
            self.subject, self._keeper, settings=self.settings, labeller=labeller, clock=clock
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
        said = turn if isinstance(turn, Turn) else self._talk.turn(turn, self._here(context))
        return await self._intake.take(said, deadline=deadline)

    async def keep(self, turn: Turn, labelled: Labelled) -> Outcome:
        """Reconcile a turn whose labels are given, and keep what it changes.

        Raises:
            WrongSpeakerError: If the turn is another speaker's.
            StoreError: If it could not be kept: nothing was written.
        """
        return await self._intake.keep(turn, labelled)

    def replied(self, text: str, *, context: Context | None = None, id: str | None = None) -> None:
        """Remember what the assistant answered, for the labelling of the next turn."""
        self._talk.replied(text, self._here(context), id=id)

    async def retry_pending(
        self, *, each: Callable[[Outcome], None] | None = None
    ) -> tuple[Outcome, ...]:
        """Label the turns that wait, oldest first; those that fail again keep waiting.

        Args:
            each: Told of every turn when it is done.
        """
        outcomes: list[Outcome] = []
        for waiting in await to_thread.run_sync(self.store.pending, self.subject):
            outcomes.append(await self._intake.retry(waiting))
            if each is not None:
                each(outcomes[-1])
        return tuple(outcomes)

    async def retry(self, waiting: PendingTurn) -> Outcome:
        """Label one turn that waits; when it fails again it waits longer, with one try more.

        A turn that no longer waits by then was labelled by another, or erased: nothing is written.
        """
        return await self._intake.retry(waiting)

    async def postpone(self, turn: Turn, reason: str, *, after: timedelta | None = None) -> Outcome:
        """Keep a turn as pending, to be labelled later.

        Args:
            turn: The turn.
            reason: Why it is not labelled now.
            after: How long workers leave it alone; not at all, when not given.

        Raises:
            WrongSpeakerError: If the turn is another speaker's.
        """
        return await self._intake.postpone(turn, reason, after=after)

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
        kept = await self._intake.write(*entries)
        return outcome_of(await self._entry(asked.turn), kept)

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
            as_of=as_of or self.now(),
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
        if is_irrevocable(entry, await self.rules()):
            raise UndoTooLateError(turn=entry.turn)
        kept = await self._intake.write(VoidEntry(turn=entry.turn, recorded_at=self._clock()))
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

    def now(self) -> datetime:
        """The time, in the zone of the subject: it gives their local day."""
        return self._clock().astimezone(self.settings.zone)

    # --- Inside --------------------------------------------------------------

    def _here(self, context: Context | None) -> Context:
        """The context of a turn: one that names no conversation belongs to the session's."""
        if context is None or context.conversation:
            return context or self.context
        return context.model_copy(update={"conversation": self.context.conversation})

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
        kept = await self._intake.write(entry)
        return Outcome(
            turn=None, status=Status.DONE, changes=kept.plan.changes, version=kept.version
        )

    async def _entry(self, turn: TurnId | None) -> TurnEntry:
        """The entry of the turn that counts; without a turn, the latest."""
        rows = await to_thread.run_sync(self.store.ledger, self.subject)
        turns = [e for e in in_said_order([r.entry for r in rows]) if isinstance(e, TurnEntry)]
        found = [entry for entry in turns if turn is None or entry.turn == turn]
        if not found:
            raise UnknownTurnError(turn=turn)
        return found[-1]


def _open_store(settings: Settings) -> Store:
    from .stores.sql import SqlStore  # slow to import, and not every session needs it

    return SqlStore(settings.db)

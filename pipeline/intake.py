"""From a turn to the ledger: label, reconcile, keep; or keep the turn until it can be labelled."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from anyio import fail_after, to_thread

from ..schemas.ids import SubjectId, TurnId
from ..schemas.ledger import LedgerEntry, TurnEntry
from ..schemas.outcome import Labelled, Outcome, Status
from ..schemas.plan import Ask, Question
from ..schemas.rule import Rule
from ..schemas.turn import Turn
from .backoff import again_later
from .core import settle
from .errors import LabelError, NotWaitingError, WrongSpeakerError
from .keeper import Keeper, Kept
from .settings import Settings
from .stores.protocol import PendingTurn

if TYPE_CHECKING:
    from .labelling.labeller import ModelLabeller


class Labeller(Protocol):
    """Says what a turn says."""

    async def label(self, turn: Turn) -> Labelled:
        """The labels of the turn.

        Raises:
            LabelError: If it could not be labelled.
        """
        ...


class Intake:
    """Takes in the turns of one subject.

    Args:
        subject: Whose turns.
        keeper: Writes the ledger.
        settings: The model, and who settles what code cannot.
        labeller: What labels turns; by default the model of the settings.
        clock: The time.
    """

    def __init__(
        self,
        subject: SubjectId,
        keeper: Keeper,
        *,
        settings: Settings,
        labeller: Labeller | None,
        clock: Callable[[], datetime],
    ) -> None:
        self._subject, self._keeper, self._settings = subject, keeper, settings
        self._labeller, self._clock = labeller, clock
        self._asked: ModelLabeller | None = None

    async def take(self, turn: Turn, *, deadline: float | None) -> Outcome:
        """Label the turn and keep what it changes; one seen before changes nothing."""
        self._check_speaker(turn)
        seen = await to_thread.run_sync(self._keeper.store.seen, self._subject, turn.id)
        if seen is not None and seen.text_hash == turn.text_hash:
            return Outcome(turn=turn.id, status=Status.SEEN, labels=seen.labels)
        try:
            with fail_after(deadline):
                labelled = await self._label(turn)
        except TimeoutError:
            return await self.postpone(turn, f"no labels within {deadline} s")
        except LabelError as error:
            return await self.postpone(turn, str(error))
        return await self.keep(turn, labelled)

    async def keep(self, turn: Turn, labelled: Labelled, *, if_waiting: bool = False) -> Outcome:
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
        kept = await self.write(entry, labelled=[turn.id], if_waiting=if_waiting)
        if self._settings.links == "model":
            kept = await self._linked(entry, kept)
        return outcome_of(entry, kept).model_copy(update={"usage": labelled.usage})

    async def retry(self, waiting: PendingTurn) -> Outcome:
        """Label a turn that waits; when that fails again it waits longer, unless it is gone."""
        labelled, failed = None, waiting
        try:
            labelled = await self._label(waiting.turn)
        except LabelError as error:
            failed = again_later(waiting, str(error), now=self._clock(), settings=self._settings)
        if labelled is None:
            still_waits = await to_thread.run_sync(self._keeper.store.put_back, failed)
            return _pending(failed) if still_waits else _gone(waiting)
        try:
            return await self.keep(waiting.turn, labelled, if_waiting=True)
        except NotWaitingError:
            return _gone(waiting)

    async def postpone(self, turn: Turn, reason: str, *, after: timedelta | None = None) -> Outcome:
        """Keep a turn until it can be labelled; workers leave it alone for so long."""
        self._check_speaker(turn)
        now = self._clock()
        due = now + after if after else None
        return await self._wait(
            PendingTurn(subject=self._subject, turn=turn, reason=reason, since=now, due=due)
        )

    async def write(
        self,
        *entries: LedgerEntry,
        labelled: Sequence[TurnId] = (),
        if_waiting: bool = False,
    ) -> Kept:
        """Bring entries into the ledger, without blocking the loop."""

        def write() -> Kept:
            return self._keeper.keep(
                self._subject, *entries, labelled=labelled, if_waiting=if_waiting
            )

        return await to_thread.run_sync(write)

    def _check_speaker(self, turn: Turn) -> None:
        speaker = self._subject.partition("/")[2]
        if turn.speaker is not None and turn.speaker != speaker:
            raise WrongSpeakerError(turn=turn.id, speaker=turn.speaker, subject=self._subject)

    async def _label(self, turn: Turn) -> Labelled:
        return await (self._labeller or self._model()).label(turn)

    def _model(self) -> "ModelLabeller":
        """The model of the settings, made when it is first asked."""
        if self._asked is None:
            from .labelling.labeller import (
                ModelLabeller,  # slow to import, and not every session labels
            )

            self._asked = ModelLabeller(self._settings, registry=self._keeper.registry)
        return self._asked

    async def _linked(self, entry: TurnEntry, kept: Kept) -> Kept:
        """Put the questions to the model first; what it does not settle stays open."""
        still_open: list[Question] = []
        for question in tuple(kept.questions):
            settled = await self._settled_by_model(entry, question, kept.rules)
            if settled:
                kept = await self.write(*settled)
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

    async def _wait(self, pending: PendingTurn) -> Outcome:
        await to_thread.run_sync(self._keeper.store.add_pending, pending)
        return _pending(pending)


def _pending(waiting: PendingTurn) -> Outcome:
    return Outcome(turn=waiting.turn.id, status=Status.PENDING, pending=waiting.reason)


def _gone(waiting: PendingTurn) -> Outcome:
    return Outcome(turn=waiting.turn.id, status=Status.SEEN)


def outcome_of(entry: TurnEntry, kept: Kept) -> Outcome:
    """What became of the turn, for the caller."""
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

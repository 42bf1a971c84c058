"""Observes the turns of a transcript, each for its own speaker, in said order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anyio import create_task_group, to_thread

from ...schemas.ids import SubjectId, subject_id
from ...schemas.outcome import Outcome
from ...schemas.turn import Turn
from ..errors import ModelGoneError
from ..intake import Labeller
from ..session import Session
from ..settings import Settings
from ..stores.protocol import Store
from .ahead import Ahead

GIVE_UP_AFTER = 5
"""So many turns in a row without an answer mean that the model is not there."""


@dataclass(frozen=True)
class Observed:
    """One turn and what became of it."""

    subject: SubjectId
    turn: Turn
    outcome: Outcome


async def observe_all(
    turns: Sequence[Turn],
    *,
    store: Store,
    labeller: Labeller,
    settings: Settings,
    each: Callable[[Observed], None],
) -> None:
    """Observe the turns one after the other; a turn seen before is not labelled again.

    Each turn is kept in its own transaction: what was observed before a failure stands, and the
    same call goes on from there.

    Args:
        turns: In said order. One without a speaker is said by the subject of the settings.
        store: Where rules are kept.
        labeller: What labels.
        settings: Tenant, subject, concurrency.
        each: Told of every turn when it is done.

    Raises:
        ModelGoneError: If the model left many turns in a row unanswered; they are pending, and
            the turns after them were not observed.
        StoreError: If a turn could not be kept.
    """
    speakers = {turn.speaker or settings.subject or "" for turn in turns}

    async def is_seen(turn: Turn) -> bool:
        subject = _subject(turn, settings)
        seen = await to_thread.run_sync(store.seen, subject, turn.id)
        return seen is not None and seen.text_hash == turn.text_hash

    async with create_task_group() as group:
        width = settings.concurrency
        ahead = Ahead(labeller, turns, group=group, width=width, is_seen=is_seen)
        sessions = {
            name: Session(name, store=store, labeller=ahead, settings=settings) for name in speakers
        }
        for turn in turns:
            session = sessions[turn.speaker or settings.subject or ""]
            each(Observed(session.subject, turn, await session.observe(turn)))
            _check_model(ahead)
        group.cancel_scope.cancel()


def _check_model(ahead: Ahead) -> None:
    if ahead.unanswered >= GIVE_UP_AFTER and ahead.last_error is not None:
        error = ahead.last_error
        raise ModelGoneError(model=error.model, turns=ahead.unanswered, why=error.why) from error


def _subject(turn: Turn, settings: Settings) -> SubjectId:
    return subject_id(turn.speaker or settings.subject or "", tenant=settings.tenant)

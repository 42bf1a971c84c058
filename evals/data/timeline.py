"""Lays a case out in time: who says what where and when, and the moments that are asked about."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from ...schemas.base import Shape
from ...schemas.context import Context
from ...schemas.ids import SubjectId, TurnId, subject_id
from ...schemas.turn import Message, Turn
from .cases import Case, CaseContext, Check, FaultSpec

SOMEONE = "someone"
"""The speaker of a case that names none."""

_DAY = date(2026, 3, 2)
_PLACES = ("project", "repository", "workspace")


class Said(Shape):
    """One user turn on its timeline."""

    at: int
    subject: SubjectId
    turn: Turn


class Moment(Shape):
    """When, where and for whom the rules in force are asked.

    Attributes:
        through: The last turn of the transcript that has been said; None is all of them.
    """

    subject: SubjectId
    context: Context
    as_of: datetime
    through: int | None = None
    events: tuple[str, ...] = ()


def subject_of(case: Case, user: str | None) -> SubjectId:
    """The subject of a speaker: each case is a tenant of its own."""
    return subject_id(user or _asker(case), tenant=case.id.replace("/", "_"))


def _asker(case: Case) -> str:
    return (case.context.user if case.context else None) or SOMEONE


def said(case: Case) -> tuple[Said, ...]:
    """The user turns in the order of the transcript."""
    times = _times(case)
    speakers = tuple(dict.fromkeys(turn.user for turn in case.turns if turn.user))
    turns: list[Said] = []
    for at in case.user_turns:
        each = case.turns[at]
        turn = Turn(
            id=_turn_id(case, at),
            text=each.text,
            said_at=times[at],
            index=at,
            speaker=each.user or (None if len(speakers) > 1 else _asker(case)),
            participants=speakers if len(speakers) > 1 else (),
            before=tuple(_before(case, at)),
            context=_place(case, at),
        )
        turns.append(Said(at=at, subject=subject_of(case, each.user), turn=turn))
    return tuple(turns)


def _times(case: Case) -> list[datetime]:
    """Given times are kept; the rest follow a minute apart from nine o'clock of the day."""
    last = datetime.combine(case.now or _DAY, time(9), UTC) - timedelta(minutes=1)
    times: list[datetime] = []
    for turn in case.turns:
        last = turn.said_at or last + timedelta(minutes=1)
        times.append(last)
    return times


def _turn_id(case: Case, at: int) -> TurnId:
    fault = case.fault
    if fault and fault.kind == "edited" and at in fault.same_id:
        at = fault.same_id[0]
    return TurnId(f"{case.id}/{at}")


def _place(case: Case, at: int) -> Context:
    """Where the turn was said: what it does not give itself is given by the case."""
    own = case.turns[at].context or CaseContext()
    given = own.model_dump(exclude_none=True, exclude_defaults=True)
    base = (case.context or CaseContext()).model_dump(exclude_none=True, exclude_defaults=True)
    if any(place in given for place in _PLACES):
        base = {name: value for name, value in base.items() if name not in _PLACES}
    merged = CaseContext.model_validate({**base, **given})
    return _named(case, merged, default=case.id)


def _named(case: Case, place: CaseContext, *, default: str) -> Context:
    """The place with a conversation of its own case: two cases may both call theirs `c1`."""
    conversation = f"{case.id}.{place.conversation}" if place.conversation else default
    return place.context.model_copy(update={"conversation": conversation})


def _before(case: Case, at: int) -> Iterator[Message]:
    """The messages of the same conversation before the turn."""
    conversation = _place(case, at).conversation
    for earlier in range(at):
        if _place(case, earlier).conversation == conversation:
            turn = case.turns[earlier]
            yield Message(role=turn.role, text=turn.text, id=f"{case.id}/{earlier}")


def fresh_session(case: Case) -> Moment:
    """A new conversation of the same user in the same place, right after the transcript."""
    return Moment(
        subject=subject_of(case, None),
        context=_fresh(case, case.context or CaseContext()),
        as_of=_times(case)[-1] + timedelta(seconds=30),
    )


def _fresh(case: Case, context: CaseContext) -> Context:
    return _named(case, context, default=f"{case.id}.fresh")


def moment_of(case: Case, check: Check) -> Moment:
    """The moment a check asks about; without a context of its own it is a fresh session."""
    place = check.context or case.context or CaseContext()
    through = check.after_turn
    last = _times(case)[-1 if through is None else through]
    noon = datetime.combine(check.at, time(12), UTC) if check.at else None
    return Moment(
        subject=subject_of(case, place.user),
        context=_fresh(case, place),
        as_of=noon or last + timedelta(seconds=30),
        through=through,
        events=(check.event,) if check.event else (),
    )


def arrivals(case: Case) -> tuple[Said, ...]:
    """The user turns in the order they reach the store, each as often as it is delivered."""
    turns = said(case)
    fault = case.fault or FaultSpec(kind="none")
    if fault.kind == "redelivery":
        return tuple(each for each in turns for _ in range(fault.times))
    if fault.kind == "arrival_order":
        place = {at: order for order, at in enumerate(fault.order)}
        return tuple(sorted(turns, key=lambda each: place.get(each.at, len(place))))
    if fault.kind == "out_of_order":
        return turns[::-1]
    return turns

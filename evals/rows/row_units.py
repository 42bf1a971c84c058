"""From third-party rows to units: the turns, and the rules that are there before, to label."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from ...schemas.context import Context
from ...schemas.ids import TurnId
from ...schemas.turn import Role, Turn
from ..data.cases import CaseContext
from ..data.timeline import SOMEONE
from ..data.wanted import Unit
from .rows import Row, RowKind, Seed

ROWS = "rows"

_START = datetime(2026, 3, 2, 9, tzinfo=UTC)
_BEFORE = _START - timedelta(days=1)


def row_units(row: Row) -> tuple[Unit, ...]:
    """What must be labelled to score the row: seeds given in words, then turns."""
    seeds = [
        _unit(row, seed_turn(row, at, seed), at)
        for at, seed in enumerate(seeds_of(row))
        if not seed.label
    ]
    return (*seeds, *turn_units(row))


def turn_units(row: Row) -> tuple[Unit, ...]:
    """The turns to label, without the seeds."""
    return tuple(_turn_unit(row, at) for at in _labelled(row))


def seeds_of(row: Row) -> tuple[Seed, ...]:
    """The rules that are there before the row begins."""
    return (*row.gold.store_before, *row.rules)


def asks_for_state(row: Row) -> bool:
    """Whether the rules in force after the row's turns are given."""
    gold = row.gold
    return row.kind is not RowKind.RETRIEVAL and (
        gold.in_force is not None or bool(gold.not_in_force)
    )


def _labelled(row: Row) -> Iterator[int]:
    """The places of the turns to label: all user turns where the state is asked for."""
    if row.kind is RowKind.RETRIEVAL:
        return
    for at, turn in enumerate(row.messages):
        if turn.role is Role.USER and (asks_for_state(row) or at == row.labelled_turn):
            yield at


def unit_id(row: Row, at: int) -> str:
    """The id of a turn's unit."""
    return f"{row.id}/{at}"


def seed_id(row: Row, at: int) -> str:
    """The id of a seed's unit."""
    return f"{row.id}/seed-{at}"


def _turn_unit(row: Row, at: int) -> Unit:
    messages = row.messages
    turn = Turn(
        id=TurnId(unit_id(row, at)),
        text=messages[at].text,
        said_at=_START + timedelta(minutes=at),
        index=at,
        speaker=SOMEONE,
        before=tuple(each.message for each in messages[:at]),
        context=place(row, messages[at].context),
    )
    return _unit(row, turn, at)


def seed_turn(row: Row, at: int, seed: Seed) -> Turn:
    """The turn, on the day before, in which a seed was said."""
    return Turn(
        id=TurnId(seed_id(row, at)),
        text=seed.text,
        said_at=_BEFORE + timedelta(minutes=at),
        index=at,
        speaker=SOMEONE,
        context=place(row, seed.context, conversation="before"),
    )


def _unit(row: Row, turn: Turn, at: int) -> Unit:
    kind = row.gold.intent or row.kind
    return Unit(
        id=turn.id, suite=ROWS, group=row.id, at=at, kind=kind, language=row.lang, turn=turn
    )


def place(row: Row, own: CaseContext | None = None, *, conversation: str = "") -> Context:
    """Where something of the row is said: its own place, else the row's."""
    context = (own or row.context or CaseContext()).context
    named = context.conversation or ".".join(filter(None, (row.id, conversation)))
    return context.model_copy(update={"conversation": named})

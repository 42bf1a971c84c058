"""Ids as people type them: the first characters do, as long as they mean one thing."""

from collections.abc import Collection

from ...schemas.ids import QuestionId, RuleId, TurnId
from ...schemas.ledger import TurnEntry
from ..errors import UnknownQuestionError, UnknownRuleError, UnknownTurnError
from ..session import Session
from .exits import GivenError

_SHOWN = 5


async def rule_of(session: Session, typed: str) -> RuleId:
    """The rule that is meant.

    Raises:
        UnknownRuleError: If there is none.
        GivenError: If there are several.
    """
    found = _meant(typed, [rule.id for rule in await session.rules()], "rules")
    if found is None:
        raise UnknownRuleError(rule=RuleId(typed))
    return RuleId(found)


async def turn_of(session: Session, typed: str) -> TurnId:
    """The labelled turn that is meant.

    Raises:
        UnknownTurnError: If there is none.
        GivenError: If there are several.
    """
    entries = [row.entry for row in session.store.ledger(session.subject)]
    turns = {entry.turn for entry in entries if isinstance(entry, TurnEntry)}
    found = _meant(typed, turns, "turns")
    if found is None:
        raise UnknownTurnError(turn=TurnId(typed))
    return TurnId(found)


async def question_of(session: Session, typed: str) -> QuestionId:
    """The open question that is meant.

    Raises:
        UnknownQuestionError: If there is none.
        GivenError: If there are several.
    """
    found = _meant(typed, [each.id for each in await session.questions()], "questions")
    if found is None:
        raise UnknownQuestionError(question=QuestionId(typed))
    return QuestionId(found)


def _meant(typed: str, ids: Collection[str], what: str) -> str | None:
    """The id itself, else the only one that begins so; None when there is none."""
    if typed in ids:
        return typed
    found = sorted(each for each in ids if typed and each.startswith(typed))
    if len(found) > 1:
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise GivenError(
            f"{typed!r} could be any of the {what} {', '.join(found[:_SHOWN])}{more}: "
            "type more of it."
        )
    return found[0] if found else None

"""Read where an instruction holds: names that the turn or the context gives, no others. Pure."""

from collections.abc import Iterable
from typing import Literal, get_args

from ...schemas.context import Context
from ...schemas.scope import Place, Scope
from ...schemas.turn import Turn
from .folded import contains

EVERYWHERE = "everywhere"
HERE = "here"

_PLACES: tuple[Place, ...] = get_args(Place)


def scope_of(where: Iterable[str], turn: Turn) -> Scope | Literal["everywhere"] | None:
    """The scope that the words name: `everywhere`, `here`, `repository`, `workspace:web`.

    A place without a name is that of the context, and a name counts only if the context or the
    turn has it. None when nothing is left: code then takes the scope of the rule that is revised,
    else everywhere.
    """
    words = [word.strip() for word in where if word.strip()]
    if any(word.casefold() == EVERYWHERE for word in words):
        return "everywhere"
    names: dict[str, str] = {}
    for word in words:
        names |= _named(word, turn)
    return Scope.model_validate(names) if names else None


def _named(word: str, turn: Turn) -> dict[str, str]:
    kind, _, name = (part.strip() for part in word.replace("=", ":", 1).partition(":"))
    kind = kind.casefold()
    if kind == HERE or (kind == "project" and not name):
        return _nearest(turn.context)
    if kind not in _PLACES:
        return {}
    known = turn.context.scope.names.get(kind)
    if not name or (known and contains(known, name) and contains(name, known)):
        return {kind: known} if known else {}
    return {kind: name} if contains(turn.text, name) else {}


def _nearest(context: Context) -> dict[str, str]:
    """What "this project", "here" and "the codebase" mean."""
    names = context.scope.names
    nearest = [place for place in _PLACES if place in names][:1]
    return {place: names[place] for place in nearest}

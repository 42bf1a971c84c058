"""A scope has names that the user or the context gives, and no others."""

from datetime import UTC, datetime

import pytest

from henceforth.pipeline.labelling.places import scope_of
from henceforth.schemas.context import Context
from henceforth.schemas.ids import TurnId
from henceforth.schemas.scope import Scope
from henceforth.schemas.turn import Turn

SHOP = Context(repository="shop", workspace="web")


def turn(text: str = "here", context: Context = SHOP) -> Turn:
    return Turn(
        id=TurnId("t"), text=text, said_at=datetime(2026, 5, 4, tzinfo=UTC), context=context
    )


NAMED: dict[str, tuple[list[str], Scope | str | None]] = {
    "by kind": (["repository"], Scope(repository="shop")),
    "two kinds": (["workspace", "repository"], Scope(repository="shop", workspace="web")),
    "by name": (["workspace:web"], Scope(workspace="web")),
    "by name in another case": (["Repository = SHOP"], Scope(repository="shop")),
    "here": (["here"], Scope(repository="shop")),
    "this project": (["project"], Scope(repository="shop")),
    "everywhere": (["everywhere", "repository"], "everywhere"),
    "nothing": ([], None),
    "a kind the context lacks": (["project:atlas"], None),
    "no kind at all": (["the kitchen"], None),
}


@pytest.mark.parametrize(("where", "scope"), NAMED.values(), ids=NAMED)
def test_a_place_takes_its_name_from_the_context(
    where: list[str], scope: Scope | str | None
) -> None:
    assert scope_of(where, turn()) == scope


def test_a_name_that_the_user_says_counts() -> None:
    said = turn("forget what I said about the repo payments-php")

    assert scope_of(["repository:payments-php"], said) == Scope(repository="payments-php")


def test_a_name_that_nobody_gives_is_left_out() -> None:
    assert scope_of(["repository:other"], turn()) is None


def test_here_is_the_project_first() -> None:
    context = Context(project="atlas", repository="shop", workspace="web")

    assert scope_of(["here"], turn(context=context)) == Scope(project="atlas")


def test_without_a_context_here_names_nothing() -> None:
    assert scope_of(["here", "workspace"], turn(context=Context())) is None

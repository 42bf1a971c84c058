"""The shape of a labelled turn: one user turn, what came before it, and its labels."""

from datetime import date
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, model_validator

from ...schemas.base import Shape
from ...schemas.labels import Label, NoneReason
from ...schemas.turn import Message
from .cases import CaseContext

CLARIFY = "clarify"
"""As a `none_reason`: nothing may be written before the user is asked."""


def _context(value: Any) -> Any:
    return {} if value is None else value


class TurnRow(Shape):
    """One labelled turn, in the terms of the library.

    Attributes:
        kind: What the row is there to try, in the words of its author.
        day: The local day, where it matters.
        none_reason: Why there are no labels; `clarify` where a question must be asked first.
    """

    id: str
    lang: str
    domain: str = ""
    kind: str = ""
    turn: str
    before: tuple[Message, ...] = ()
    context: Annotated[CaseContext, BeforeValidator(_context)] = CaseContext()
    day: date | None = None
    labels: tuple[Label, ...] = ()
    none_reason: str | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if bool(self.labels) is (self.none_reason is not None):
            raise ValueError("a row has labels, or the reason for none: one of the two")
        if self.none_reason not in {None, CLARIFY, *NoneReason}:
            raise ValueError(f"none_reason {self.none_reason!r} is not known")
        return self

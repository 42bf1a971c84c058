"""What a model must be able to do for labelling: answer in a given shape. No litellm here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from ...schemas.ids import TurnId
from ...schemas.labels import Usage
from ...schemas.turn import Message

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Token:
    """One token of an answer, and what else could have stood there.

    Attributes:
        alternatives: The likeliest tokens at this place with their log probabilities.
    """

    text: str
    logprob: float
    alternatives: Mapping[str, float]


@dataclass(frozen=True)
class Answer(Generic[M]):
    """An answer in the shape that was asked for.

    Attributes:
        tokens: The answer token by token, where log probabilities were asked for and given.
    """

    value: M
    usage: Usage
    tokens: tuple[Token, ...] = ()


class LabelModel(Protocol):
    """Answers in a shape. One labelled turn may take several questions to it."""

    @property
    def name(self) -> str:
        """The model, as it stands in the provenance of each label."""
        ...

    async def ask(
        self,
        messages: Sequence[Message],
        shape: type[M],
        *,
        turn: TurnId,
        top_logprobs: int = 0,
    ) -> Answer[M]:
        """The answer to the messages in the given shape; an invalid one is asked for anew.

        Args:
            messages: What is put to the model; keep what never changes in front.
            shape: A pydantic model; its JSON schema goes along with the request.
            turn: The turn this is about, for error messages.
            top_logprobs: How many alternatives to ask for at each token; 0 asks for none.

        Raises:
            LabelError: If there is no valid answer within the limits.
        """
        ...


def total(usages: Sequence[Usage]) -> Usage:
    """The sum; the cost is unknown when one of them is, and wall times add up."""
    costs = [usage.cost for usage in usages]
    return Usage(
        tokens_in=sum(usage.tokens_in for usage in usages),
        tokens_out=sum(usage.tokens_out for usage in usages),
        cost=None if None in costs or not costs else sum(filter(None, costs)),
        milliseconds=sum(usage.milliseconds for usage in usages),
        attempts=sum(usage.attempts for usage in usages),
    )

"""What a failed call of a model means: try again, ask anew, or say what stands in the way."""

from ...schemas.ids import TurnId
from ..errors import (
    HenceforthError,
    LabelError,
    LabelsRejectedError,
    ModelRefusedError,
    ModelUnavailableError,
    WindowExceededError,
)
from ..replay.recording import miss_in
from .error_chain import chain
from .llm import litellm
from .secrets import cut

LONGEST_REASON = 300
"""Characters of a provider's message that go into ours."""


_PASSING = (
    "RateLimitError",
    "Timeout",
    "APIConnectionError",
    "InternalServerError",
    "BadGatewayError",
    "ServiceUnavailableError",
)
"""By name, as not every version of litellm has all of them."""


class EmptyAnswerError(Exception):
    """The endpoint answered, and there is no message in its answer."""

    def __init__(self) -> None:
        super().__init__("the endpoint answered without a message")


def is_transient(error: BaseException) -> bool:
    """Whether the same request may succeed later: rate limit, timeout, 5xx, connection.

    An endpoint that answers no JSON, or none of the right form, counts as a 5xx.
    """
    if miss_in(error) is not None or _never_sent(error):
        return False
    known = litellm().exceptions
    kinds = tuple(getattr(known, name) for name in _PASSING if hasattr(known, name))
    return isinstance(error, (EmptyAnswerError, *kinds))


def _never_sent(error: BaseException) -> bool:
    """Whether the client itself refused, as for want of a key; litellm calls that a 500 too."""
    from openai import OpenAIError

    return any(type(each) is OpenAIError for each in chain(error))


def is_invalid(error: BaseException) -> bool:
    """Whether the model answered, but not in the shape that was asked for."""
    from instructor.core.exceptions import ResponseParsingError
    from pydantic import ValidationError

    return isinstance(error, (ValidationError, ResponseParsingError))


def explained(error: Exception, turn: TurnId, model: str, attempts: int) -> HenceforthError:
    """The error as the caller should see it.

    What nobody foresaw, such as a client that stumbles over an odd answer, counts as no answer:
    the turn is kept, and the cause says what it was.
    """
    if miss := miss_in(error):
        return miss
    kind, why = _failure(_root(error))
    return kind(turn=turn, model=model, attempts=attempts, why=why)


def _failure(cause: BaseException) -> tuple[type[LabelError], str]:
    from instructor.core.exceptions import IncompleteOutputException
    from openai import OpenAIError

    if isinstance(cause, TimeoutError):
        return ModelUnavailableError, "the time for all tries is over"
    if isinstance(cause, IncompleteOutputException):
        return LabelsRejectedError, "its answer was cut at `max_tokens`"
    if is_invalid(cause):
        return LabelsRejectedError, f"no answer had the right shape: {_line(cause)}"
    if is_transient(cause):
        return ModelUnavailableError, _line(cause)
    if isinstance(cause, litellm().exceptions.ContextWindowExceededError):
        return WindowExceededError, "the request is larger than its window"
    kind = ModelRefusedError if isinstance(cause, OpenAIError) else ModelUnavailableError
    return kind, _line(cause)


def _root(error: BaseException) -> BaseException:
    """What instructor wrapped."""
    from instructor.core.exceptions import InstructorRetryException

    while isinstance(error, InstructorRetryException) and error.__cause__ is not None:
        error = error.__cause__
    return error


def _line(error: BaseException) -> str:
    """The message on one line, as far as a reader needs it, without a key that it may repeat."""
    return cut(" ".join(str(error).split()))[:LONGEST_REASON]

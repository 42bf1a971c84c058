"""What a failed call of a model means: try again, ask anew, or say what stands in the way."""

from ..schemas.ids import TurnId
from .errors import (
    LabelError,
    LabelsRejectedError,
    ModelRefusedError,
    ModelUnavailableError,
    WindowExceededError,
)
from .llm import litellm
from .recording import miss_in
from .secrets import cut

LONGEST_REASON = 300
"""Characters of a provider's message that go into ours."""


def is_transient(error: BaseException) -> bool:
    """Whether the same request may succeed later: rate limit, timeout, 5xx, connection.

    An endpoint that answers no JSON, or none of the right form, counts as a 5xx.
    """
    if miss_in(error) is not None:
        return False
    known = litellm().exceptions
    return isinstance(
        error,
        (
            known.RateLimitError,
            known.Timeout,
            known.APIConnectionError,
            known.InternalServerError,
            known.BadGatewayError,
            known.ServiceUnavailableError,
        ),
    )


def is_invalid(error: BaseException) -> bool:
    """Whether the model answered, but not in the shape that was asked for."""
    from instructor.core.exceptions import ResponseParsingError
    from pydantic import ValidationError

    return isinstance(error, (ValidationError, ResponseParsingError))


def explained(error: Exception, turn: TurnId, model: str, attempts: int) -> Exception:
    """The error as the caller should see it; one that is no failure of a model stays as it is."""
    if miss := miss_in(error):
        return miss
    kind, why = _failure(_root(error))
    return kind(turn=turn, model=model, attempts=attempts, why=why) if kind else error


def _failure(cause: BaseException) -> tuple[type[LabelError] | None, str]:
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
    refused = isinstance(cause, OpenAIError)
    return (ModelRefusedError, _line(cause)) if refused else (None, "")


def _root(error: BaseException) -> BaseException:
    """What instructor wrapped."""
    from instructor.core.exceptions import InstructorRetryException

    while isinstance(error, InstructorRetryException) and error.__cause__ is not None:
        error = error.__cause__
    return error


def _line(error: BaseException) -> str:
    """The message on one line, as far as a reader needs it, without a key that it may repeat."""
    return cut(" ".join(str(error).split()))[:LONGEST_REASON]

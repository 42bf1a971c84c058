"""Errors as answers in the form of RFC 9457, without what was sent and without the inside."""

from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from .. import errors
from ..errors import FailureError, HenceforthError, UsageError
from .bodies import Problem

MEDIA_TYPE = "application/problem+json"

_NOT_FOUND = (
    errors.UnknownRuleError,
    errors.UnknownTurnError,
    errors.UnknownQuestionError,
)
_CONFLICT = (
    errors.UndoTooLateError,
    errors.ShiftedHistoryError,
    errors.UnfitAnswerError,
)

_RETRY = {"retry-after": "1"}


def problem_of(error: HenceforthError) -> Problem:
    """The problem that an error is for the caller."""
    status = _status(error)
    return Problem(
        type=f"urn:henceforth:{_kebab(type(error).__name__.removesuffix('Error'))}",
        title=(type(error).__doc__ or "").partition("\n")[0],
        status=status,
        detail=_INSIDE if status >= HTTPStatus.INTERNAL_SERVER_ERROR else str(error),
    )


_INSIDE = "The request is right and was not carried out; it can be sent again as it is."


def _status(error: HenceforthError) -> HTTPStatus:
    if isinstance(error, _NOT_FOUND):
        return HTTPStatus.NOT_FOUND
    if isinstance(error, _CONFLICT):
        return HTTPStatus.CONFLICT
    if isinstance(error, UsageError) and not isinstance(error, errors.SettingsError):
        return HTTPStatus.UNPROCESSABLE_ENTITY
    return (
        HTTPStatus.SERVICE_UNAVAILABLE
        if isinstance(error, FailureError)
        else HTTPStatus.INTERNAL_SERVER_ERROR
    )


def _kebab(name: str) -> str:
    return "".join(f"-{each.lower()}" if each.isupper() else each for each in name).strip("-")


def response(problem: Problem, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The answer that carries the problem."""
    given = {} if headers is None else dict(headers)
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        given = _RETRY | given
    body = problem.model_dump(mode="json", exclude_defaults=True)
    return JSONResponse(body, problem.status, given, media_type=MEDIA_TYPE)


def plain(status: int, detail: str, *, errors: tuple[str, ...] = ()) -> Problem:
    """A problem that is what its status says."""
    title = HTTPStatus(status).phrase
    return Problem(type="about:blank", title=title, status=status, detail=detail, errors=errors)


def invalid(error: ValidationError | RequestValidationError) -> Problem:
    """A request that does not fit: where, and why; not what was sent."""
    faults = tuple(
        f"{'.'.join(str(part) for part in each['loc'])}: {each['type']}" for each in error.errors()
    )
    return plain(422, "The request does not have the form it must have.", errors=faults)


def install(app: FastAPI) -> None:
    """Let every error of the app be answered as a problem."""

    async def ours(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HenceforthError)
        return response(problem_of(error))

    async def unfit(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError | ValidationError)
        return response(invalid(error))

    async def http(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        return response(plain(error.status_code, str(error.detail)), error.headers)

    async def bug(_: Request, error: Exception) -> JSONResponse:
        return response(plain(500, "A fault of the service; its log says where."))

    app.add_exception_handler(HenceforthError, ours)
    app.add_exception_handler(RequestValidationError, unfit)
    app.add_exception_handler(ValidationError, unfit)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, bug)

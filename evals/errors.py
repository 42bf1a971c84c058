"""What can go wrong in an evaluation, each with what the caller can do about it.

EvalError
├── SuiteError        a file of cases, turns or rows is not as it should be: file, line, field
├── BaselineError     a baseline or report cannot be read or has another shape
└── RunError          a run cannot start or go on
"""

from pathlib import Path

from ..pipeline.errors import UsageError


class EvalError(UsageError):
    """Base of all errors of the evaluations; the message is meant for people."""


class SuiteError(EvalError):
    """A suite file does not hold what it must; nothing of it is scored.

    Attributes:
        path: The file.
        line: The line of the record, from 1; None where the format has no lines.
        field: Path of the field in the record, such as `turns.0.text`; empty for the record.
    """

    def __init__(self, path: Path, line: int | None, field: str, reason: str) -> None:
        place = f"{path}:{line}" if line is not None else str(path)
        super().__init__(f"{place}: {field + ': ' if field else ''}{reason}")
        self.path, self.line, self.field, self.reason = path, line, field, reason


class BaselineError(EvalError):
    """The baseline or report file cannot be used."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path


class RunError(EvalError):
    """The run cannot start or go on as asked."""

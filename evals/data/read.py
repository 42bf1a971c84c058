"""Reads files of records; what is wrong is said with file, line and field. Judges nothing."""

import json
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from ..errors import SuiteError
from .cases import Case

Record = TypeVar("Record", bound=BaseModel)

# The C loader is ten times faster and reads the same; it is missing from some builds.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def suites_folder() -> Traversable:
    """The folder of the suites that ship with the package."""
    return files(__name__.rsplit(".", 2)[0]).joinpath("suites")


def read_lines(path: Path, shape: type[Record]) -> tuple[Record, ...]:
    """The records of a JSON-lines file; empty lines are skipped.

    Raises:
        SuiteError: If the file cannot be read or a line is no such record.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SuiteError(path, None, "", str(error)) from error
    return tuple(_records(path, text, shape))


def _records(path: Path, text: str, shape: type[Record]) -> Iterator[Record]:
    # Only line feeds end a record: JSON strings may hold other line separators as they are.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _record(path, number, line, shape)


def _record(path: Path, number: int, line: str, shape: type[Record]) -> Record:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise SuiteError(path, number, "", f"not JSON: {error.msg} at {error.colno}") from error
    return _valid(path, number, value, shape)


def _valid(path: Path, line: int | None, value: object, shape: type[Record]) -> Record:
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise SuiteError(path, line, field, first["msg"]) from error


def read_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a JSON-lines file, or of a YAML suite (`.yaml`, `.yml`).

    Raises:
        SuiteError: If the file is not as it should be, or two cases share an id.
    """
    cases = _read_yaml(path) if path.suffix in {".yaml", ".yml"} else read_lines(path, Case)
    _check_ids(path, cases)
    return cases


class _Loose(BaseModel, extra="forbid"):
    """A suite before its cases are looked at one by one."""

    kind: str
    cases: list[dict[str, Any]]


def read_yaml(path: Path, shape: type[Record]) -> Record:
    """The one record that a YAML file is.

    Raises:
        SuiteError: If the file cannot be read or is no such record.
    """
    try:
        loaded = yaml.load(path.read_text("utf-8"), Loader=_Loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise SuiteError(path, None, "", str(error)) from error
    return _valid(path, None, loaded, shape)


def _read_yaml(path: Path) -> tuple[Case, ...]:
    suite = read_yaml(path, _Loose)
    return tuple(_yaml_case(path, at, each) for at, each in enumerate(suite.cases))


def _yaml_case(path: Path, at: int, value: dict[str, Any]) -> Case:
    try:
        return _valid(path, None, value, Case)
    except SuiteError as error:
        field = f"cases.{value.get('id', at)}.{error.field}"
        raise SuiteError(path, None, field, error.reason) from error


def _check_ids(path: Path, cases: tuple[Case, ...]) -> None:
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise SuiteError(path, None, "id", f"{case.id!r} stands twice")
        seen.add(case.id)

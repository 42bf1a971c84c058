"""The suites that ship with the package: cases by kind, labelled turns, and the split."""

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from importlib.resources import as_file
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from ..behaviour.probes import ProbeFile
from ..errors import RunError
from .cases import Case, Suite
from .read import read_cases, read_lines, suites_folder
from .turns import TurnRow

SCHEMA_LINE = "# yaml-language-server: $schema=schema/suite.schema.json"
"""The first line of each YAML suite: editors check the file against the schema."""


class Half(StrEnum):
    """To choose by, and to report."""

    TUNE = "tune"
    TEST = "test"


def half_of(case_id: str) -> Half:
    """The half a new case goes to: by its id alone, so that no choice of ours is in it."""
    digit = int(sha256(case_id.encode()).hexdigest()[-1], 16)
    return Half.TUNE if digit % 2 == 0 else Half.TEST


@lru_cache(maxsize=1)
def split() -> Mapping[str, Half]:
    """The split that is checked in, by case id; it never changes once a case is in it."""
    text = suites_folder().joinpath("split.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return {name: half for half in Half for name in loaded[half]}


def suite_files() -> tuple[str, ...]:
    """The names of the YAML suites, sorted."""
    names = (each.name for each in suites_folder().iterdir())
    return tuple(sorted(name for name in names if name.endswith(".yaml")))


def load_cases(kinds: Iterable[str] = (), *, half: Half | None = None) -> tuple[Case, ...]:
    """The cases that ship with the package, of the kinds named or of all.

    Raises:
        RunError: If a kind is not known.
    """
    wanted = {f"{kind}.yaml" for kind in kinds} or set(suite_files())
    if unknown := wanted - set(suite_files()):
        known = ", ".join(name.removesuffix(".yaml") for name in suite_files())
        raise RunError(f"no suite is called {sorted(unknown)[0][:-5]!r}; there are: {known}")
    cases = [case for name in sorted(wanted) for case in _suite(name)]
    return tuple(case for case in cases if half is None or split().get(case.id) is half)


def _suite(name: str) -> tuple[Case, ...]:
    with as_file(suites_folder().joinpath(name)) as path:
        return read_cases(path)


def load_turns(name: str = "dev") -> tuple[TurnRow, ...]:
    """The labelled turns that ship with the package: `dev` to report, `train` to learn from."""
    with as_file(suites_folder().joinpath("turns", f"{name}.jsonl")) as path:
        return read_turns(path)


def read_turns(path: Path) -> tuple[TurnRow, ...]:
    """The labelled turns of a JSON-lines file."""
    return read_lines(path, TurnRow)


def suite_schema() -> str:
    """The JSON Schema of a YAML suite, as it is checked in."""
    return _schema(Suite)


def probes_schema() -> str:
    """The JSON Schema of a file of probes, as it is checked in."""
    return _schema(ProbeFile)


def _schema(shape: type[BaseModel]) -> str:
    schema = shape.model_json_schema(mode="validation")
    return json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True) + "\n"

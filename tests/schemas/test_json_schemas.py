"""The JSON Schemas that are checked in are those of the shapes, and they fit what is printed."""

import json
from pathlib import Path

import pytest

from henceforth.schemas.export import SHAPES, export, json_schema
from henceforth.schemas.versions import SCHEMA_VERSION

CHECKED_IN = Path(__file__).resolve().parents[2] / "schemas" / "json"


@pytest.mark.parametrize("name", SHAPES)
def test_the_schema_that_is_checked_in_is_that_of_the_shape(name: str) -> None:
    """Run `python -m henceforth.schemas.export schemas/json` after a change of shape."""
    assert (CHECKED_IN / f"{name}.json").read_text("utf-8") == json_schema(name)


def test_no_schema_is_checked_in_whose_shape_is_gone() -> None:
    assert {path.stem for path in CHECKED_IN.glob("*.json")} == set(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
def test_each_schema_says_what_it_is_and_of_which_version(name: str) -> None:
    schema = json.loads(json_schema(name))

    assert schema["title"] == name
    assert schema["description"] == SHAPES[name].says
    assert schema["x-schema-version"] == SCHEMA_VERSION


@pytest.mark.parametrize("name", SHAPES)
def test_a_record_may_carry_its_version(name: str) -> None:
    schema = json.loads(json_schema(name))

    assert "properties" not in schema or schema["properties"]["schema_version"] == {
        "const": SCHEMA_VERSION
    }


def test_an_export_replaces_what_is_stale(tmp_path: Path) -> None:
    (tmp_path / "gone.json").write_text("{}")
    (tmp_path / "turn.json").write_text("{}")

    export(tmp_path)

    assert {path.stem for path in tmp_path.iterdir()} == set(SHAPES)
    assert (tmp_path / "turn.json").read_text("utf-8") == json_schema("turn")

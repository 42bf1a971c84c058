"""Folders, links and build lists name the same subpackages, and imports stay inside."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
LINKS = ROOT / "src" / "henceforth"
SUBPACKAGES = sorted(each.parent.name for each in ROOT.glob("*/__init__.py"))


def build_target(name: str) -> dict[str, Any]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    target: dict[str, Any] = settings["tool"]["hatch"]["build"]["targets"][name]
    return target


def test_there_are_subpackages_to_hold() -> None:
    assert SUBPACKAGES == ["evals", "pipeline", "prompts", "schemas"]


def test_a_link_leads_to_each_subpackage_and_to_nothing_else() -> None:
    links = {each.name: each.resolve() for each in LINKS.iterdir() if each.is_symlink()}
    if not links:
        pytest.skip("a source archive carries no links")

    assert links == {name: ROOT / name for name in SUBPACKAGES}


@pytest.mark.parametrize("archive", ["wheel", "sdist"])
def test_what_is_built_holds_each_subpackage_and_the_package_root(archive: str) -> None:
    taken = set(build_target(archive)["only-include"])

    root_files = {f"src/henceforth/{each.name}" for each in LINKS.iterdir() if each.is_file()}
    assert taken >= {*SUBPACKAGES, *root_files}


def test_the_wheel_puts_each_subpackage_under_henceforth() -> None:
    moves = build_target("wheel")["sources"]

    inside = {name: f"henceforth/{name}" for name in SUBPACKAGES}
    assert moves == {"src/henceforth": "henceforth", **inside}


@pytest.mark.parametrize("name", SUBPACKAGES)
def test_inside_the_package_imports_are_relative(name: str) -> None:
    absolute = re.compile(
        rf"^\s*(?:from|import)\s+(?:henceforth|{'|'.join(SUBPACKAGES)})\b", re.MULTILINE
    )

    files = (ROOT / name).rglob("*.py")
    assert [str(each) for each in files if absolute.search(each.read_text("utf-8"))] == []


def test_tests_are_no_package() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []

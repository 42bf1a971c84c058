"""The pages say what the code does: tables made from data are held against it."""

import re
from pathlib import Path

import pytest

from henceforth import Row, default_registry

DOCS = Path(__file__).parent.parent / "docs"


def test_the_page_on_labels_lists_the_dimensions_of_the_registry() -> None:
    page = (DOCS / "labels.md").read_text("utf-8")

    listed = re.findall(r"^\| `(\w+)` \| (.+?) \| (one|many) \|", page, flags=re.MULTILINE)

    assert listed == [
        (each.name, each.definition, each.cardinality.value)
        for each in default_registry().dimensions
    ]


def test_the_page_on_reconcile_names_each_row_once() -> None:
    page = (DOCS / "reconcile.md").read_text("utf-8")

    named = re.findall(r"\| `([a-z-]+)` \|$", page, flags=re.MULTILINE)

    assert sorted(named) == sorted(row.value for row in Row)


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda path: path.name)
def test_no_page_links_to_what_is_not_there(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8"))

    missing = [link for link in links if not (page.parent / link).exists()]

    assert missing == []

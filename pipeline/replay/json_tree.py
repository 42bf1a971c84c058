"""JSON as a typed tree. Pure."""

import json
from collections.abc import Callable
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def parsed(text: str | bytes | None) -> Json:
    """The tree of a JSON text.

    Raises:
        ValueError: If it is none.
    """
    tree: Json = json.loads(text or "")
    return tree


def written(tree: Json) -> str:
    """The tree as JSON, with letters of every script as they are."""
    return json.dumps(tree, ensure_ascii=False)


def each_text(tree: Json, change: Callable[[str], str]) -> Json:
    """The tree with every text in it changed; keys stay."""
    if isinstance(tree, str):
        return change(tree)
    if isinstance(tree, list):
        return [each_text(item, change) for item in tree]
    if isinstance(tree, dict):
        return {key: each_text(item, change) for key, item in tree.items()}
    return tree

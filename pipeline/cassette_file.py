"""A cassette as a YAML file that people can read: JSON as a tree, long text as it is written."""

import os
from pathlib import Path
from typing import Any

import yaml
from vcr.persisters.filesystem import CassetteNotFoundError
from vcr.serialize import deserialize as _read
from vcr.serialize import serialize as _written

from .json_tree import Json, each_text, parsed, written

_LONG = 200
"""From this length on a text that comes up again is written once and referred to."""


class _Dumper(yaml.CSafeDumper):
    """Block scalars for text of several lines; a long text that comes up again becomes an alias."""

    def ignore_aliases(self, data: object) -> bool:
        return not (isinstance(data, str) and len(data) >= _LONG)


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def load_cassette(path: str, serializer: Any) -> Any:
    """Read the file, for vcrpy."""
    file = Path(path)
    if not file.is_file():
        raise CassetteNotFoundError
    return _read(file.read_text("utf-8"), serializer)


def save_cassette(path: str, cassette_dict: dict[str, Any], serializer: Any) -> None:
    """Write the file whole or not at all, for vcrpy."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.new")
    new.write_text(_written(cassette_dict, serializer), "utf-8")
    os.replace(new, file)


def serialize(cassette: dict[str, Any]) -> str:
    """The cassette as YAML, for vcrpy."""
    tree = {**cassette, "interactions": [_opened(each) for each in cassette["interactions"]]}
    return yaml.dump(_shared(tree), Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)


def deserialize(text: str) -> dict[str, Any]:
    """The cassette of a YAML text, for vcrpy."""
    tree = yaml.load(text, Loader=yaml.CSafeLoader)
    return {**tree, "interactions": [_closed(each) for each in tree["interactions"]]}


def _opened(interaction: dict[str, Any]) -> dict[str, Any]:
    request, response = interaction["request"], interaction["response"]
    body = (response.get("body") or {}).get("string")
    return {
        "request": {**request, "body": _as_tree(request["body"])},
        "response": {**response, "body": _as_tree(body)},
    }


def _closed(interaction: dict[str, Any]) -> dict[str, Any]:
    request, response = interaction["request"], interaction["response"]
    return {
        "request": {**request, "body": _as_text(request["body"])},
        "response": {**response, "body": {"string": _as_text(response["body"])}},
    }


def _as_tree(body: str | None) -> dict[str, Any]:
    """JSON as a tree; anything else, and JSON that UTF-8 cannot hold, as the text it is."""
    try:
        tree = parsed(body)
        written(tree).encode("utf-8")
    except ValueError:
        return {"text": body or ""}
    return {"json": tree}


def _as_text(body: dict[str, Any]) -> str:
    return written(body["json"]) if "json" in body else str(body["text"])


def _shared(tree: Json) -> Json:
    """The tree with equal texts made one object, which is what YAML aliases go by."""
    texts: dict[str, str] = {}
    return each_text(tree, lambda text: texts.setdefault(text, text))

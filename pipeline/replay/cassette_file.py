"""A cassette as a YAML file that people can read: JSON as a tree, long text as it is written."""

import os
from pathlib import Path
from typing import Any, TypeAlias

import yaml
from vcr.persisters.filesystem import CassetteNotFoundError
from vcr.serialize import deserialize as _read
from vcr.serialize import serialize as _written

from .json_tree import Json, parsed, written

Tree: TypeAlias = dict[str, Any]
"""What vcrpy keeps of a cassette, a request or a response."""

_LONG = 200
"""From this length on what comes up again is written once and referred to."""


class _Dumper(yaml.SafeDumper):
    """Block scalars for text of several lines; what is one object becomes an alias."""

    def ignore_aliases(self, data: object) -> bool:
        return not (
            isinstance(data, (list, dict)) or (isinstance(data, str) and len(data) >= _LONG)
        )

    def represent_text(self, text: str) -> yaml.ScalarNode:
        style = "|" if "\n" in text else None
        return yaml.ScalarNode("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _Dumper.represent_text)


def load_cassette(path: str, serializer: object) -> object:
    """Read the file, for vcrpy."""
    file = Path(path)
    if not file.is_file():
        raise CassetteNotFoundError
    return _read(file.read_text("utf-8"), serializer)


def save_cassette(path: str, cassette_dict: Tree, serializer: object) -> None:
    """Write the file whole or not at all, for vcrpy."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.new")
    new.write_text(_written(cassette_dict, serializer), "utf-8")
    os.replace(new, file)


def serialize(cassette: Tree) -> str:
    """The cassette as YAML, for vcrpy."""
    interactions: Json = [_opened(each) for each in cassette["interactions"]]
    tree = _shared({**cassette, "interactions": interactions})
    library: Any = yaml  # its types are known in part only
    return str(library.dump(tree, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100))


def deserialize(text: str) -> Tree:
    """The cassette of a YAML text, for vcrpy."""
    tree: Tree = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return {**tree, "interactions": [_closed(each) for each in tree["interactions"]]}


def _opened(interaction: Tree) -> Json:
    request: Tree = interaction["request"]
    response: Tree = interaction["response"]
    return {
        "request": {**request, "body": _as_tree(request["body"])},
        "response": {**response, "body": _as_tree(response["body"].get("string"))},
    }


def _closed(interaction: Tree) -> Tree:
    request: Tree = interaction["request"]
    response: Tree = interaction["response"]
    return {
        "request": {**request, "body": _as_text(request["body"])},
        "response": {**response, "body": {"string": _as_text(response["body"])}},
    }


def _as_tree(body: str | None) -> Json:
    """JSON as a tree; anything else, and JSON that UTF-8 cannot hold, as the text it is."""
    try:
        tree = parsed(body)
        written(tree).encode("utf-8")
    except ValueError:
        return {"text": body or ""}
    return {"json": tree}


def _as_text(body: Tree) -> str:
    return written(body["json"]) if "json" in body else str(body["text"])


def _shared(tree: Json) -> Json:
    """The tree with its large equal parts made one object, which is what YAML aliases go by."""
    known: dict[str, Json] = {}

    def shared(part: Json) -> Json:
        if isinstance(part, list):
            part = [shared(item) for item in part]
        elif isinstance(part, dict):
            part = {key: shared(item) for key, item in part.items()}
        if not isinstance(part, (str, list, dict)):
            return part
        text = written(part)
        return known.setdefault(text, part) if len(text) >= _LONG else part

    return shared(tree)

"""Splits a file into JSON values; what is broken is kept with its place, and the rest goes on."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeGuard


class PlacedAs(StrEnum):
    """What the number of a place counts."""

    LINE = "line"
    ITEM = "item"
    WHOLE = "whole"


@dataclass(frozen=True)
class Place:
    """Where something stands: a file, and a line or an item of its one list, from 1."""

    file: str
    number: int = 1
    counts: PlacedAs = PlacedAs.LINE

    def __str__(self) -> str:
        """`chat.jsonl:7`, `chat.json, item 7`, or `chat.json`."""
        named = {PlacedAs.LINE: f":{self.number}", PlacedAs.ITEM: f", item {self.number}"}
        return self.file + named.get(self.counts, "")


@dataclass(frozen=True)
class Value:
    """One JSON value of the file, with its text as it stands there."""

    place: Place
    value: Any
    raw: bytes


@dataclass(frozen=True)
class Fault:
    """What could not be read, and why.

    Attributes:
        raw: The line as it stands in the file.
    """

    place: Place
    why: str
    raw: bytes


def read_values(content: bytes, *, file: str | Path) -> Iterator[Value | Fault]:
    """The JSON values of a file: one a line, or the items of the one list that it is."""
    body = content.removeprefix(b"\xef\xbb\xbf")
    whole = _whole(body)
    if whole is not None:
        yield from _items(whole, str(file))
        return
    # Only line feeds end a record: JSON strings may hold other line separators as they are.
    for number, line in enumerate(body.split(b"\n"), start=1):
        if line.strip():
            yield _line(line, Place(str(file), number))


def _whole(body: bytes) -> Any:
    """The file as one document, where it is a list or an object over several lines."""
    first, _, rest = body.lstrip().partition(b"\n")
    has_more = bool(rest.strip())
    might_be = first.startswith(b"[") or (first.startswith(b"{") and has_more)
    if not might_be or (has_more and _is_json(first)):
        return None
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _items(whole: Any, file: str) -> Iterator[Value]:
    """A list of conversations or turns is its items; a list of messages is one conversation."""
    items = whole if is_list(whole) else []
    if not items or all(_is_message(each) for each in items):
        yield _item(whole, Place(file, 1, PlacedAs.WHOLE))
        return
    for number, item in enumerate(items, start=1):
        yield _item(item, Place(file, number, PlacedAs.ITEM))


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether the value is a JSON array."""
    return isinstance(value, list)


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether the value is a JSON object."""
    return isinstance(value, dict)


def _item(item: Any, place: Place) -> Value:
    return Value(place, item, json.dumps(item).encode())


def _is_message(item: Any) -> bool:
    return is_object(item) and "role" in item and "text" not in item


def _line(line: bytes, place: Place) -> Value | Fault:
    raw = line.rstrip(b"\r")
    try:
        return Value(place, json.loads(raw.decode("utf-8")), raw)
    except UnicodeDecodeError as error:
        why = f"not UTF-8: byte {error.start} of the line is {raw[error.start]:#04x}"
    except json.JSONDecodeError as error:
        why = f"not JSON: {error.msg} at column {error.colno}"
    except (ValueError, RecursionError) as error:
        why = f"not JSON that can be read: {error}"
    return Fault(place, why, raw)

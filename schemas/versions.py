"""The schema version on every stored record, and how older records are read."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

SCHEMA_VERSION = 2
"""Written as `schema_version` into every stored record."""

Record: TypeAlias = dict[str, Any]
Json: TypeAlias = Record | list[Any] | str | float | None


class NewerSchemaError(ValueError):
    """The record was written by a newer henceforth; it is left as it is."""

    def __init__(self, found: int) -> None:
        super().__init__(
            f"the record has schema version {found} and this henceforth reads up to "
            f"{SCHEMA_VERSION}: upgrade henceforth. Nothing was changed."
        )
        self.found = found


def _from_1(record: Record) -> Record:
    """Version 1 kept a rule's last day as `expires`, and a condition's tags as one flat list."""
    names = {"expires": "until"}
    fields: Record = {}
    for key, value in record.items():
        fields[names.get(key, key)] = _moved_from_1(key, value)
    tags = fields.get("tags")
    if "words" in fields and tags and all(isinstance(tag, str) for tag in tags):
        fields["tags"] = [tags]
    return fields


def _moved_from_1(key: str, value: Json) -> Json:
    if isinstance(value, list):
        return [_moved_from_1(key, item) for item in value]
    named_by_the_host = key == "tags"
    return _from_1(value) if isinstance(value, dict) and not named_by_the_host else value


UPCASTS: Mapping[int, Callable[[Record], Record]] = {1: _from_1}
"""By version: how a record of that version becomes one of the next."""


def stamped(record: Mapping[str, Any]) -> Record:
    """The record with the version it is written in."""
    return {"schema_version": SCHEMA_VERSION, **record}


def upcast(record: Mapping[str, Any]) -> Record:
    """The stored record in today's shape, without its version.

    Raises:
        NewerSchemaError: If the record is newer than this code.
    """
    version = int(record.get("schema_version", 1))
    if version > SCHEMA_VERSION:
        raise NewerSchemaError(version)
    body = {key: value for key, value in record.items() if key != "schema_version"}
    for step in range(version, SCHEMA_VERSION):
        body = UPCASTS[step](body)
    return body

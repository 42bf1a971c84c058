"""The short shape that the model writes: what is usual is left out. No judgement here."""

import json
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, create_model

from ...schemas.dimensions import Registry
from ...schemas.labels import NoneReason


def _several(value: object) -> object:
    return [value] if isinstance(value, str) else value


Spans: TypeAlias = Annotated[list[str], BeforeValidator(_several)]
"""Verbatim spans; the model may write a single one as a text."""


OneSpan: TypeAlias = Annotated[
    list[str], BeforeValidator(_several), WithJsonSchema({"type": "string"})
]
"""A single span: a model that may write several puts two instructions into one part."""


class Wire(BaseModel):
    """A shape that a model writes. What it does not know is ignored, what is missing is usual."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    @classmethod
    def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """The schema that goes along with a request: only what constrains the answer.

        Titles, defaults and references depend on the version of pydantic; recordings must not.
        """
        key = _key(cls)
        if key not in _schemas:
            schema = super().model_json_schema(*args, **kwargs)
            _schemas[key] = json.dumps(_plain(schema, schema.get("$defs", {})))
        return dict[str, Any](json.loads(_schemas[key]))


_schemas: dict[object, str] = {}
"""Schemas by the fields they are of: making one takes milliseconds, and each request needs it.

Clients wrap a shape anew for each request, so the class itself is no key.
"""


def _key(shape: type[BaseModel]) -> object:
    return tuple(
        (name, field.annotation, repr(field.metadata), field.is_required())
        for name, field in shape.model_fields.items()
    )


_CONSTRAINTS = ("type", "enum", "const", "anyOf", "items", "minItems", "properties", "required")


def _plain(schema: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return _plain(defs[schema["$ref"].rpartition("/")[2]], defs)
    plain = {key: schema[key] for key in _CONSTRAINTS if key in schema}
    if "const" in plain:
        plain["enum"] = [plain.pop("const")]
    if "items" in plain:
        plain["items"] = _plain(plain["items"], defs)
    if "anyOf" in plain:
        plain["anyOf"] = [_plain(each, defs) for each in plain["anyOf"]]
    if "properties" in plain:
        plain["properties"] = {k: _plain(v, defs) for k, v in plain["properties"].items()}
        plain["additionalProperties"] = False
    return plain


class WirePart(Wire):
    """One part of a turn: an instruction, or what it is instead."""

    quote: Spans = Field(min_length=1)
    intent: Literal["durable", "this_task", "forget", "retire", "inferred", "none", "unclear"]
    why: NoneReason | None = None
    question: str | None = None
    dimension: str = "other"
    target: str = ""
    value: str = ""
    avoid: bool = False
    lift: bool = False
    rule: str = ""
    kind: Literal["preference", "procedure", "fact"] = "preference"
    where: Spans = []
    when: str | None = None
    tags: Spans = []
    unless: str | None = None
    unless_tags: Spans = []
    until: str | None = None
    whole_chat: bool = False
    revises: Literal["change", "correction"] | None = None
    replaces: str | None = None
    reach: Literal["one", "all_matching", "dimension", "scope", "everything"] | None = None
    back: bool = False
    sweeping: bool = False


class WireTurn(Wire):
    """All that the model says of a turn.

    Attributes:
        do_not_save: Spans that the user asks not to keep.
    """

    parts: list[WirePart] = Field(min_length=1)
    do_not_save: Spans = []


@lru_cache(maxsize=64)
def _shape(dimensions: tuple[str, ...], intents: tuple[str, ...], one_span: bool) -> type[WireTurn]:
    enum: Any = StrEnum  # its members come from data, which type checkers will not have
    fields: dict[str, Any] = {
        "dimension": (enum("Dimension", {name: name for name in dimensions}), "other")
    }
    if intents:
        fields["intent"] = (enum("Intent", {name: name for name in intents}), ...)
    if one_span:
        fields["quote"] = (OneSpan, ...)
    part: Any = create_model("WirePart", __base__=WirePart, **fields)
    parts: Any = list.__class_getitem__(part)
    return create_model("WireTurn", __base__=WireTurn, parts=(parts, Field(min_length=1)))


def shape_for(
    registry: Registry, intents: Sequence[str] = (), *, one_span: bool = False
) -> type[WireTurn]:
    """The shape with the dimensions of the registry as the only ones that can be written.

    Args:
        registry: The dimensions.
        intents: The only intents that can be written; without any, all of them.
        one_span: Whether each part quotes one span only.
    """
    return _shape(tuple(registry.by_name), tuple(intents), one_span)

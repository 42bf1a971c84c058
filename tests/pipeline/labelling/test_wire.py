"""The short shape that the model writes, and what of it goes along with a request."""

import json

import pytest
from pydantic import ValidationError

from henceforth.pipeline.labelling.wire import WireTurn, shape_for
from henceforth.schemas.dimensions import default_registry

SHAPE = shape_for(default_registry())


def test_one_span_may_be_written_as_a_text_and_what_is_usual_left_out() -> None:
    turn = SHAPE.model_validate({"parts": [{"quote": "use tabs", "intent": "durable"}]})

    (part,) = turn.parts
    assert part.quote == ["use tabs"]
    assert (part.dimension, part.target, part.kind) == ("other", "", "preference")


def test_what_the_shape_does_not_know_is_ignored() -> None:
    turn = SHAPE.model_validate({"parts": [{"quote": "x", "intent": "none", "mood": 1}], "y": 2})

    assert turn.parts[0].intent == "none"


INVALID: dict[str, object] = {
    "no part": {"parts": []},
    "an unknown intent": {"parts": [{"quote": "x", "intent": "maybe"}]},
    "an unknown dimension": {"parts": [{"quote": "x", "intent": "durable", "dimension": "mood"}]},
    "no quote": {"parts": [{"quote": [], "intent": "durable"}]},
    "a list": [{"quote": "x", "intent": "durable"}],
}


@pytest.mark.parametrize("answer", INVALID.values(), ids=INVALID)
def test_what_is_not_in_the_shape_is_refused(answer: object) -> None:
    with pytest.raises(ValidationError):
        SHAPE.model_validate_json(json.dumps(answer))


def test_the_dimensions_of_the_registry_are_the_only_ones() -> None:
    registry = default_registry().extended('[mood]\ndefinition = "x"\ncardinality = "one"')

    extended = shape_for(registry)

    part = {"quote": "x", "intent": "durable", "dimension": "mood"}
    assert extended.model_validate({"parts": [part]}).parts[0].dimension == "mood"


def test_the_schema_holds_only_what_constrains_the_answer() -> None:
    text = json.dumps(SHAPE.model_json_schema())

    assert all(word not in text for word in ("$ref", "$defs", "title", "default", "description"))
    assert '"enum": ["units", "citation"' in text


def test_the_schema_is_the_same_for_the_same_registry() -> None:
    assert shape_for(default_registry()) is SHAPE
    assert issubclass(SHAPE, WireTurn)

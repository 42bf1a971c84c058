"""Finding the JSON object in what a model wrote."""

import pytest

from henceforth.pipeline.labelling.answers import json_part

FOUND = {
    "alone": ('{"a": 1}', '{"a": 1}'),
    "in prose": ('Here you go, {"a": {"b": 2}} bye', '{"a": {"b": 2}}'),
    "after a brace that opens nothing": ('x { y {"a": 1}', '{"a": 1}'),
    "the first of two": ('{"a": 1} or {"a": 2}', '{"a": 1}'),
    "with a brace in a text": ('{"a": "}{"}', '{"a": "}{"}'),
}

LEFT = {
    "prose": "no object at all",
    "half an object": '{"a": {"b": 1}, "c": ',
    "half a list of objects": '{"a": [{"b": 1}, {"b": 2}',
    "a list": '[{"a": 1}, {"a": 2}]',
    "nothing": "",
}


@pytest.mark.parametrize(("text", "part"), FOUND.values(), ids=FOUND)
def test_the_object_is_taken_out(text: str, part: str) -> None:
    assert json_part(text) == part


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_a_text_without_a_whole_object_of_its_own_stays(text: str) -> None:
    assert json_part(text) == text


def test_deep_nesting_does_not_break_it() -> None:
    text = "{" * 5000

    assert json_part('{"a":' * 50_000) == '{"a":' * 50_000
    assert json_part(text) == text

"""Prompts are files with versions; what is used is named exactly."""

import json
import re

import pytest

from henceforth.pipeline.labelling.messages import example_turn
from henceforth.pipeline.labelling.wire import shape_for
from henceforth.prompts import load_prompt, prompt_versions
from henceforth.prompts.loading import PromptError, parsed
from henceforth.schemas.dimensions import default_registry


def test_without_a_version_it_is_the_latest() -> None:
    latest = max(prompt_versions("label_turn"))

    prompt = load_prompt("label_turn")

    assert re.fullmatch(rf"label_turn@{latest}\+[0-9a-f]{{8}}", prompt.ref)


def test_the_ref_names_the_content() -> None:
    assert load_prompt("label_turn", "1").ref == load_prompt("label_turn", "v1").ref


@pytest.mark.parametrize("version", prompt_versions("label_turn"))
def test_every_version_can_be_used(version: int) -> None:
    prompt = load_prompt("label_turn", str(version))

    system = prompt.system(default_registry())

    assert "{{" not in system
    assert all(f"- {name}" in system for name in default_registry().by_name)


def test_the_examples_of_the_latest_version_are_in_the_shape_and_quote_their_turn() -> None:
    shape = shape_for(default_registry())

    for example in load_prompt("label_turn").examples:
        answer = shape.model_validate_json(example.answer)
        turn = example_turn(example.turn)
        said = "\n".join([turn.text, *(message.text for message in turn.before)])
        assert all(quote in said for part in answer.parts for quote in part.quote)


@pytest.mark.parametrize(("name", "version"), [("label_turn", "999"), ("no_such", None)])
def test_an_unknown_prompt_is_named_with_those_that_are_there(
    name: str, version: str | None
) -> None:
    with pytest.raises(PromptError, match=name):
        load_prompt(name, version)


BROKEN = {
    "no answer": "x\n## Example: a\n```yaml\ntext: a\n```\n",
    "no JSON": "x\n## Example: a\n```yaml\ntext: a\n```\n```json\n{\n```\n",
    "no YAML": "x\n## Example: a\n```yaml\n: [\n```\n```json\n{}\n```\n",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_example_is_named(content: str) -> None:
    with pytest.raises(PromptError, match="example 'a'"):
        parsed(content, ref="test@1+0")


def test_an_example_may_hold_a_fence_in_a_longer_one() -> None:
    content = 'x\n## Example: a\n````yaml\ntext: "```"\n````\n```json\n{"a": 1}\n```\n'

    (example,) = parsed(content, ref="test@1+0").examples

    assert (example.turn["text"], json.loads(example.answer)) == ("```", {"a": 1})

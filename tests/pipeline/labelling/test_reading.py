"""From what the model wrote to labels."""

from datetime import UTC, date, datetime
from typing import Any

from henceforth.pipeline.labelling.reading import Read, read
from henceforth.pipeline.labelling.wire import shape_for
from henceforth.schemas.context import Context
from henceforth.schemas.dimensions import default_registry
from henceforth.schemas.ids import TurnId
from henceforth.schemas.labels import Intent, Label, NoneReason, Polarity, Reach, Revises, Span
from henceforth.schemas.scope import Condition, Scope
from henceforth.schemas.turn import Turn

REGISTRY = default_registry()
TURN = Turn(
    id=TurnId("t"),
    text="whatever",
    said_at=datetime(2026, 5, 4, 23, tzinfo=UTC),
    context=Context(repository="shop"),
)


def answer(*parts: dict[str, Any], **rest: Any) -> Read:
    written = [{"quote": "whatever", "intent": "durable", **part} for part in parts]
    wire = shape_for(REGISTRY).model_validate({"parts": written, **rest})
    return read(wire, TURN, REGISTRY)


def label(**part: Any) -> Label:
    (found,) = answer(part).labels
    return found


def test_a_language_becomes_its_tag_in_whatever_language_it_is_named() -> None:
    names = ["French", "français", "法语", "fr", "FR"]

    values = {label(dimension="language", value=name).value for name in names}

    assert values == {"fr"}


def test_a_language_has_its_tag_on_every_target_and_other_values_stay() -> None:
    commits = label(dimension="language", target="commit messages", value="English")
    spelling = label(dimension="language", target="spelling", value="Oxford spelling")

    assert (commits.value, spelling.value) == ("en", "Oxford spelling")


def test_a_listed_target_brings_its_dimension() -> None:
    found = label(dimension="format", target="Docstrings", value="google")

    assert (found.dimension, found.target) == ("code_style", "docstrings")


def test_an_unlisted_target_keeps_the_dimension_that_was_written() -> None:
    found = label(dimension="format", target="Release notes", value="bullets")

    assert (found.dimension, found.target) == ("format", "release-notes")


def test_without_a_target_it_is_all_replies() -> None:
    assert label(dimension="length", value="concise").target == "replies"


def test_the_polarity_is_never_lost_and_lifting_is_not_forbidding() -> None:
    polarities = [label(value="x", avoid=True), label(value="x", lift=True), label(value="x")]

    assert [found.polarity for found in polarities] == [
        Polarity.AVOID,
        Polarity.LIFT,
        Polarity.DO,
    ]


def test_what_ends_a_rule_needs_no_value() -> None:
    assert label(intent="forget").value == "any"
    assert label(intent="retire").reach is Reach.ALL_MATCHING


def test_an_instruction_without_a_value_has_its_words_for_one() -> None:
    assert label(rule="Call me Ada").value == "Call me Ada"
    assert label().value == "whatever"


def test_a_rule_for_now_is_bound_to_the_task_or_to_the_conversation() -> None:
    assert label(intent="this_task", value="x").span is Span.TASK
    assert label(intent="this_task", value="x", whole_chat=True).span is Span.CONVERSATION
    assert label(value="x", whole_chat=True).span is None


def test_the_reach_belongs_to_an_ending_only() -> None:
    assert label(intent="forget", reach="everything").reach is Reach.EVERYTHING
    assert label(intent="durable", value="x", reach="everything").reach is None
    assert not label(intent="durable", value="x", back=True).back


def test_conditions_have_their_words_and_the_tags_that_are_tags() -> None:
    found = label(value="x", when="in SQL files", tags=["file:*.sql", "sql", "task:"], unless="old")

    assert found.condition == Condition(words="in SQL files", tags=(("file:*.sql",),))
    assert found.exception == Condition(words="old")


def test_days_are_counted_from_the_day_of_the_turn() -> None:
    assert label(value="x", until="+1d").until == date(2026, 5, 5)


def test_the_place_takes_its_name_from_the_context() -> None:
    assert label(value="x", where="repository").scope == Scope(repository="shop")


def test_a_change_names_what_goes() -> None:
    found = label(value="x", revises="correction", replaces="y")

    assert (found.revises, found.replaces) == (Revises.CORRECTION, "y")


def test_parts_without_an_instruction_give_their_reasons() -> None:
    found = answer({"intent": "none", "why": "question"}, {"value": "x"})

    assert found.reasons == (NoneReason.QUESTION,)
    assert [each.intent for each in found.labels] == [Intent.DURABLE]


def test_an_unclear_part_is_a_question() -> None:
    found = answer({"intent": "unclear", "question": "Always, or just now?"})

    assert found.clarify is not None
    assert found.clarify.question == "Always, or just now?"


def test_what_must_not_be_saved_is_passed_on() -> None:
    assert answer({"value": "x"}, do_not_save=["I am ill"]).private == ("I am ill",)

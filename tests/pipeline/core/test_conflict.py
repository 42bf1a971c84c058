"""Whether two sayings speak of the same thing, and whether they agree."""

import pytest
from ledgers import REGISTRY, durable

from henceforth.pipeline.core.conflict import (
    Standing,
    contradicts,
    fingerprint,
    is_redacted,
    meaning_of,
    redacted,
    same_slot,
    standing,
)
from henceforth.schemas.ids import RuleId


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param("language", "language", True, id="the same slot"),
        pytest.param("language", "length", False, id="a listed target has one dimension each"),
        pytest.param("language", "language/names", False, id="two targets"),
        pytest.param(
            "format/commit-messages",
            "workflow/commit-messages",
            True,
            id="the dimension of an unlisted target is a guess",
        ),
        pytest.param(
            "format/currency", "units/currency", True, id="the registry sets the dimension"
        ),
        pytest.param("format/table", "format/tables", True, id="the form of a target is one"),
    ],
)
def test_a_slot_is_target_and_dimension(one: str, other: str, expected: bool) -> None:
    first, second = durable(one, "x"), durable(other, "y")

    assert same_slot(first, second, REGISTRY) is expected
    assert same_slot(second, first, REGISTRY) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param(("length", "concise"), ("length", "Concise"), Standing.EQUAL, id="equal"),
        pytest.param(
            ("format/tables", "off"), ("format/tables", "!table"), Standing.EQUAL, id="off is avoid"
        ),
        pytest.param(
            ("length", "concise"), ("length", "!concise"), Standing.OPPOSITE, id="do and avoid"
        ),
        pytest.param(
            ("length", "concise"), ("length", "~concise"), Standing.OPPOSITE, id="do and lift"
        ),
        pytest.param(
            ("length", "!concise"), ("length", "~concise"), Standing.OPPOSITE, id="avoid and lift"
        ),
        pytest.param(
            ("length", "concise"), ("length", "long"), Standing.OTHER_VALUE, id="one value a slot"
        ),
        pytest.param(
            ("content", "formula"), ("content", "units"), Standing.BESIDE, id="many values a slot"
        ),
        pytest.param(
            ("length", "concise"), ("length", "!long"), Standing.BESIDE, id="to avoid another"
        ),
        pytest.param(
            ("length", "!concise"), ("length", "long"), Standing.BESIDE, id="another, and avoid"
        ),
        pytest.param(
            ("length", "!concise"), ("length", "!long"), Standing.BESIDE, id="to avoid two"
        ),
        pytest.param(
            ("length/letters", "short"),
            ("tone/letters", "warm"),
            Standing.BESIDE,
            id="two dimensions of one unlisted target",
        ),
        pytest.param(
            ("length", "concise"), ("tone", "concise"), Standing.UNRELATED, id="two dimensions"
        ),
        pytest.param(
            ("length", "concise"), ("length/mails", "concise"), Standing.UNRELATED, id="two targets"
        ),
        pytest.param(
            ("language", "no"), ("language", "en"), Standing.OTHER_VALUE, id="Norwegian or English"
        ),
    ],
)
def test_how_two_sayings_stand(
    one: tuple[str, str], other: tuple[str, str], expected: Standing
) -> None:
    first, second = durable(*one), durable(*other)

    assert standing(first, second, REGISTRY) is expected
    assert standing(second, first, REGISTRY) is expected
    both = {Standing.OPPOSITE, Standing.OTHER_VALUE}
    assert contradicts(first, second, REGISTRY) is (expected in both)


def test_a_fingerprint_tells_equal_meanings_and_is_not_the_text() -> None:
    rule = RuleId("r1")
    off, avoid = durable("format/tables", "off"), durable("format/tables", "!table")

    token = fingerprint(rule, off, REGISTRY)

    assert token == fingerprint(rule, avoid, REGISTRY)
    assert token != fingerprint(rule, durable("format/tables", "on"), REGISTRY)
    assert token != fingerprint(RuleId("r2"), off, REGISTRY)
    assert is_redacted(token)


@pytest.mark.parametrize(
    "value",
    ["redacted", "redacted-names", "redacted-0123456789abcde", "x redacted-0123456789abcdef"],
)
def test_a_value_of_the_users_is_not_taken_for_redacted(value: str) -> None:
    assert not is_redacted(value)


def test_a_redacted_value_contradicts_nothing_and_equals_itself() -> None:
    token = redacted(RuleId("r1"), "concise")
    gone, other = durable("length", token), durable("length", "long")

    assert standing(gone, other, REGISTRY) is Standing.BESIDE
    assert standing(other, gone, REGISTRY) is Standing.BESIDE
    assert standing(gone, gone, REGISTRY) is Standing.EQUAL


def test_what_stands_for_a_text_is_the_same_for_the_same_text_only() -> None:
    rule = RuleId("r1")

    assert redacted(rule, "a") == redacted(rule, "a")
    assert redacted(rule, "a") != redacted(rule, "b")
    assert is_redacted(redacted(rule, "\ud800"))


def test_the_registry_sets_the_dimension_a_value_is_read_in() -> None:
    said = durable("tone/spelling", "German")

    assert meaning_of(said, REGISTRY).value == "de"

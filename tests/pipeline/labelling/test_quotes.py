"""A label counts when it rests on the user's own words."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from henceforth.pipeline.labelling.quotes import QuoteCheck, Quoted, Refusal
from henceforth.schemas.ids import TurnId
from henceforth.schemas.labels import Intent, Label
from henceforth.schemas.turn import Message, Role, Turn

SUGGESTED = "Should I number the steps from now on? Or put a summary on top?"


def turn(text: str, *before: Message) -> Turn:
    said_at = datetime(2026, 5, 4, tzinfo=UTC)
    return Turn(id=TurnId("t"), text=text, said_at=said_at, before=before)


def label(*quote: str) -> Label:
    return Label(intent=Intent.DURABLE, dimension="format", value="x", quote=quote)


def check(text: str, *quote: str, before: tuple[Message, ...] = (), **options: Any) -> Any:
    return QuoteCheck(turn(text, *before), **options).check(label(*quote))


def kept(found: Any) -> tuple[str, ...]:
    assert isinstance(found, Quoted)
    return found.label.quote


KEPT = {
    "word for word": ("Use tabs. Thanks!", ("Use tabs",), ("Use tabs",)),
    "in another case": ("USE TABS please", ("use tabs",), ("USE TABS",)),
    "over a line break": ("use\n  tabs", ("use tabs",), ("use\n  tabs",)),
    "with marks around it": ("use tabs", ('"use tabs."',), ("use tabs",)),
    "with its own marks": ("only .sql files!", (".sql files!",), (".sql files!",)),
    "with words left out": (
        "use tabs, I say, always",
        ("use tabs ... always",),
        ("use tabs", "always"),
    ),
    "two spans": ("no lists. no tables", ("no tables", "no lists"), ("no lists", "no tables")),
    "reaching out of a quotation": ("call me “Ada” please", ("call me “Ada”",), ("call me “Ada”",)),
    "quoted first, said later": (
        "he says “use tabs”. so use tabs",
        ("use tabs",),
        ("use tabs",),
    ),
    "one span invented": ("use tabs", ("use tabs", "and never spaces"), ("use tabs",)),
}


@pytest.mark.parametrize(("text", "quote", "stored"), KEPT.values(), ids=KEPT)
def test_what_the_user_said_is_kept_letter_for_letter(
    text: str, quote: tuple[str, ...], stored: tuple[str, ...]
) -> None:
    assert kept(check(text, *quote)) == stored


REFUSED = {
    "invented": ("use tabs", "use spaces", Refusal.NOT_SAID),
    "empty": ("use tabs", "…", Refusal.NOT_SAID),
    "quoted": ("he says “use tabs”, why?", "use tabs", Refusal.ONLY_QUOTED),
    "in a fence": ("```\nuse tabs\n```\nwhy?", "use tabs", Refusal.ONLY_QUOTED),
    "in code": ("what is `use strict`", "use strict", Refusal.ONLY_QUOTED),
    "in an address": ("see http://x.io/use-tabs", "use-tabs", Refusal.ONLY_QUOTED),
    "in a quoted line": ("> use tabs\nno idea", "use tabs", Refusal.ONLY_QUOTED),
    "in our own block": (
        "<rules_in_force>\nuse tabs\n</rules_in_force>\nhi",
        "use tabs",
        Refusal.ONLY_QUOTED,
    ),
}


@pytest.mark.parametrize(("text", "quote", "why"), REFUSED.values(), ids=REFUSED)
def test_a_label_without_words_of_the_user_is_refused(text: str, quote: str, why: Refusal) -> None:
    assert check(text, quote) is why


def test_the_place_outside_of_quotation_counts_and_orders_the_labels() -> None:
    found = check("he says “use tabs”. so use tabs", "use tabs")

    assert found.start == len("he says “use tabs”. so ")


SUGGESTION = (Message(role=Role.ASSISTANT, text=SUGGESTED),)


def test_an_accepted_suggestion_keeps_both_spans_the_users_first() -> None:
    found = check("yes, do that", "number the steps", "yes, do that", before=SUGGESTION)

    assert kept(found) == ("yes, do that", "number the steps")


def test_the_assistants_words_alone_are_no_instruction() -> None:
    found = check("yes, do that", "number the steps from now on", before=SUGGESTION)

    assert found is Refusal.NOT_THE_USERS


def test_an_earlier_turn_counts_only_beside_words_of_this_one() -> None:
    before = (Message(role=Role.USER, text="answer in Dutch"),)

    alone = check("make that permanent", "answer in Dutch", before=before)
    beside = check("make that permanent", "answer in Dutch", "make that permanent", before=before)

    assert alone is Refusal.SAID_EARLIER
    assert kept(beside) == ("make that permanent", "answer in Dutch")


@pytest.mark.parametrize("role", [Role.SYSTEM, Role.TOOL])
def test_what_a_tool_or_the_system_says_cannot_be_accepted(role: Role) -> None:
    before = (Message(role=role, text="always push to main"),)

    found = check("ok", "ok", "always push to main", before=before)

    assert found is Refusal.NOT_THE_USERS


def test_of_several_messages_before_the_latest_with_the_words_counts() -> None:
    before = (Message(role=Role.USER, text="use tabs"), Message(role=Role.USER, text="Use TABS"))

    found = check("yes, always", "yes, always", "use tabs", before=before)

    assert kept(found) == ("yes, always", "Use TABS")


def test_a_label_inside_what_must_not_be_saved_is_refused() -> None:
    text = "Don't store this: I hate my job. Keep it short."

    inside = check(text, "I hate my job", private=["Don't store this: I hate my job"])
    outside = check(text, "Keep it short", private=["Don't store this: I hate my job"])

    assert inside is Refusal.NOT_TO_SAVE
    assert kept(outside) == ("Keep it short",)


def test_a_quote_that_reaches_into_what_must_not_be_saved_is_cut() -> None:
    text = "keep it short, and don't store that I am ill"

    found = check(text, text, private=["don't store that I am ill"])

    assert kept(found) == ("keep it short, and",)


WORDS = st.lists(
    st.sampled_from(["use", "tabs", "nie", "说", "always", "1"]), min_size=1, max_size=4
)


@given(WORDS, WORDS, WORDS)
def test_any_span_of_what_was_said_is_kept_as_it_was_said(
    before: list[str], words: list[str], after: list[str]
) -> None:
    span = " ".join(words)
    text = " ".join([*before, span, *after])

    (quote,) = kept(check(text, span.upper()))

    assert quote == span
    assert quote in text


@given(st.text(alphabet="abc .", min_size=1), st.text(alphabet="xyz ", min_size=1))
def test_what_was_not_said_is_never_kept(text: str, invented: str) -> None:
    assert isinstance(check(text, invented), Refusal)

"""The rows of the reconcile table for a label bound to one task or conversation."""

from datetime import UTC, datetime

import pytest
from ledgers import HERE, Ledger, durable, forget, id_of, inferred, once, when

from henceforth.schemas.context import Context
from henceforth.schemas.labels import Label, Span
from henceforth.schemas.plan import Row
from henceforth.schemas.rule import Bound, State

LETTER = Context(conversation="talk", task="letter")
MEMO = Context(conversation="talk", task="memo")


@pytest.mark.parametrize(
    ("span", "context", "bound"),
    [
        pytest.param(
            "task", LETTER, Bound(span=Span.TASK, conversation="talk", task="letter"), id="a task"
        ),
        pytest.param(
            "task", HERE, Bound(span=Span.TASK, conversation="talk"), id="a task nobody named"
        ),
        pytest.param(None, HERE, Bound(span=Span.TASK, conversation="talk"), id="nothing said"),
        pytest.param(
            "conversation",
            LETTER,
            Bound(span=Span.CONVERSATION, conversation="talk"),
            id="a conversation, whatever the task",
        ),
    ],
)
def test_it_is_applied_once_and_bound(span: str | None, context: Context, bound: Bound) -> None:
    ledger = Ledger()
    turn = ledger.say(once("language", "en", span=span), context=context)

    assert ledger.rows(turn) == [Row.APPLY_ONCE]
    assert ledger.rule(turn).bound == bound


@pytest.mark.parametrize(
    "label",
    [
        pytest.param(once("language", "en"), id="another value"),
        pytest.param(once("language", "!zh"), id="the opposite"),
        pytest.param(once("language", "zh"), id="the same"),
        pytest.param(once("language", "en", span="conversation"), id="for the conversation"),
        pytest.param(once("language", "en", revises="change"), id="it revises"),
        pytest.param(once("language", "en", sweeping=True), id="it sweeps"),
        pytest.param(once("language", "en", until="2026-03-06"), id="with an end"),
    ],
)
def test_it_never_touches_a_rule(label: Label) -> None:
    ledger = Ledger()
    ledger.say(durable("language", "zh"), inferred("length", "concise"))
    before = ledger.rules
    ledger.say(label)

    assert ledger.rules[: len(before)] == before


# --- Within its span ---


@pytest.mark.parametrize(
    ("first", "second", "row", "active"),
    [
        pytest.param(
            once("language", "en"),
            once("language", "fr"),
            Row.END_ONCE,
            ["language/replies=fr for this task"],
            id="another value ends the first",
        ),
        pytest.param(
            once("format/tables", "on"),
            once("format/tables", "off"),
            Row.END_ONCE,
            ["format/tables=off for this task"],
            id="the opposite ends the first",
        ),
        pytest.param(
            once("language", "en"),
            once("language", "English"),
            Row.REINFORCE,
            ["language/replies=en for this task"],
            id="the same is evidence",
        ),
        pytest.param(
            once("language", "en", until="2026-03-06"),
            once("language", "en"),
            Row.REINFORCE,
            ["language/replies=en until 2026-03-06 for this task"],
            id="the same without an end is evidence",
        ),
        pytest.param(
            once("language", "en", until="2026-03-06"),
            once("language", "en", until="2026-03-09"),
            Row.END_ONCE,
            ["language/replies=en until 2026-03-09 for this task"],
            id="the same with another end replaces the end",
        ),
        pytest.param(
            once("content", "formula"),
            once("content", "units"),
            Row.APPLY_ONCE,
            ["content/replies=formula for this task", "content/replies=units for this task"],
            id="another value of a slot of many stands beside",
        ),
        pytest.param(
            once("language", "en"),
            once("language", "fr", condition=when("in mails", "task:mail")),
            Row.APPLY_ONCE,
            ["language/replies=en for this task", "language/replies=fr ?in mails for this task"],
            id="another condition stands beside",
        ),
        pytest.param(
            once("language", "en"),
            once("language", "fr", span="conversation"),
            Row.APPLY_ONCE,
            ["language/replies=en for this task", "language/replies=fr for this conversation"],
            id="another span stands beside",
        ),
        pytest.param(
            once("language", "en"),
            once("language/titles", "fr"),
            Row.APPLY_ONCE,
            ["language/replies=en for this task", "language/titles=fr for this task"],
            id="another slot stands beside",
        ),
    ],
)
def test_two_labels_of_one_span(first: Label, second: Label, row: Row, active: list[str]) -> None:
    ledger = Ledger()
    ledger.say(first)
    turn = ledger.say(second)

    assert ledger.rows(turn) == [row]
    assert ledger.lines() == active


def test_what_a_contrary_label_ends_is_linked_both_ways() -> None:
    ledger = Ledger()
    first, second = ledger.say(once("language", "en")), ledger.say(once("language", "fr"))

    assert ledger.rule(first).state is State.SUPERSEDED
    assert ledger.rule(first).superseded_by == id_of(second)
    assert ledger.rule(second).supersedes == (id_of(first),)


@pytest.mark.parametrize(
    "context",
    [
        pytest.param(MEMO, id="another task"),
        pytest.param(Context(conversation="other", task="letter"), id="another conversation"),
        pytest.param(HERE, id="no task named"),
    ],
)
def test_a_contrary_label_elsewhere_ends_nothing(context: Context) -> None:
    ledger = Ledger()
    first = ledger.say(once("language", "en"), context=LETTER)
    ledger.say(once("language", "fr"), context=context)

    assert ledger.rule(first).state is State.ACTIVE


def test_after_its_last_day_it_is_not_there() -> None:
    ledger = Ledger()
    ledger.say(once("language", "en", span="conversation", until="2026-03-03"))
    again = ledger.say(
        once("language", "en", span="conversation"), at=datetime(2026, 3, 4, tzinfo=UTC)
    )

    assert ledger.rows(again) == [Row.APPLY_ONCE]
    assert [rule.id for rule in ledger.in_force(HERE).winners] == [id_of(again)]


# --- Its end ---


def test_a_forget_in_its_conversation_ends_it() -> None:
    ledger = Ledger()
    rule = ledger.say(durable("language", "zh"))
    now = ledger.say(once("language", "en", span="conversation"))
    turn = ledger.say(forget("language", "en"))

    assert ledger.rows(turn) == [Row.END_ONCE]
    assert ledger.rule(now).state is State.FORGOTTEN
    assert ledger.rule(rule).state is State.ACTIVE


def test_a_forget_in_another_conversation_does_not_reach_it() -> None:
    ledger = Ledger()
    now = ledger.say(once("language", "en", span="conversation"))
    turn = ledger.say(forget("language", "en"), context=Context(conversation="other"))

    assert ledger.rows(turn) == [Row.FORGET_NOTHING]
    assert ledger.rule(now).state is State.ACTIVE


def test_a_forget_takes_back_a_rule_and_what_repeats_it_for_now() -> None:
    ledger = Ledger()
    now = ledger.say(once("language", "en"), context=LETTER)
    rule = ledger.say(durable("language", "en"))
    turn = ledger.say(forget("language", "en"))

    assert ledger.rows(turn) == [Row.FORGET, Row.END_ONCE]
    assert {ledger.rule(each).state for each in (now, rule)} == {State.FORGOTTEN}


def test_the_host_ends_a_task() -> None:
    ledger = Ledger()
    letter = ledger.say(once("language", "en"), context=LETTER)
    memo = ledger.say(once("language", "fr"), context=MEMO)
    talk = ledger.say(once("tone", "warm", span="conversation"), context=LETTER)
    rule = ledger.say(durable("language", "zh"))
    ledger.end(task="letter")

    assert ledger.rule(letter).state is State.EXPIRED
    assert ledger.rule(letter).ended_at == ledger.now
    assert {ledger.rule(each).state for each in (memo, talk, rule)} == {State.ACTIVE}
    assert [change.row for change in ledger.fold().plans[-1].changes] == [Row.END_ONCE]


def test_the_host_ends_a_conversation_with_all_its_tasks() -> None:
    ledger = Ledger()
    here = [
        ledger.say(once("language", "en"), context=LETTER),
        ledger.say(once("tone", "warm", span="conversation")),
    ]
    other = ledger.say(once("language", "fr"), context=Context(conversation="other"))
    rule = ledger.say(durable("language", "zh"))
    ledger.end()

    assert {ledger.rule(each).state for each in here} == {State.EXPIRED}
    assert {ledger.rule(each).state for each in (other, rule)} == {State.ACTIVE}


def test_a_task_is_ended_in_its_conversation_only() -> None:
    ledger = Ledger()
    other = ledger.say(once("language", "en"), context=Context(conversation="o", task="letter"))
    ledger.end(task="letter")

    assert ledger.rule(other).state is State.ACTIVE
    assert ledger.fold().plans[-1].changes == ()


def test_a_task_may_be_ended_whatever_its_conversation() -> None:
    ledger = Ledger()
    other = ledger.say(once("language", "en"), context=Context(conversation="o", task="letter"))
    ledger.end(conversation=None, task="letter")

    assert ledger.rule(other).state is State.EXPIRED


def test_an_end_of_nothing_named_ends_nothing() -> None:
    ledger = Ledger()
    turn = ledger.say(once("language", "en"), context=Context())
    ledger.end(conversation=None)

    assert ledger.rule(turn).state is State.ACTIVE


def test_what_was_said_before_an_end_and_arrives_after_it_has_ended() -> None:
    ledger = Ledger()
    ledger.say()
    ledger.end()
    late = ledger.say(once("language", "en"), at=ledger.entries[0].recorded_at)

    assert ledger.rule(late).state is State.EXPIRED

"""The rows of the reconcile table for a durable label."""

from datetime import UTC, datetime
from typing import Any

import pytest
from ledgers import HERE, NINE, Ledger, durable, forget, id_of, inferred, once, when

from henceforth.schemas.context import Context
from henceforth.schemas.labels import Label, LabelledBy, Revises
from henceforth.schemas.plan import Ask, Row
from henceforth.schemas.rule import Provenance, State
from henceforth.schemas.turn import Reference

SHOP = Context(conversation="talk", repository="shop")
MAILS = when("in mails", "task:mail")
MAIL = Context(conversation="talk", task_type="mail")
COMMIT = Reference(commit="abc")


def after(*before: Label, then: Label, context: Context = HERE) -> tuple[list[str], list[str]]:
    """The rows of the last label and what is active afterwards, each label a turn of its own."""
    ledger = Ledger()
    for label in before:
        ledger.say(label)
    last = ledger.say(then, context=context)
    return ledger.rows(last), ledger.lines()


# --- Reinforce ---


@pytest.mark.parametrize(
    ("before", "then", "context", "active"),
    [
        pytest.param(
            durable("length", "concise"),
            durable("length", "Concise"),
            HERE,
            "length/replies=concise",
            id="equal value, same place",
        ),
        pytest.param(
            durable("format/tables", "off"),
            durable("format/tables", "!table"),
            HERE,
            "format/tables=off",
            id="off and avoid are equal",
        ),
        pytest.param(
            durable("length", "concise"),
            durable("length", "concise", scope="everywhere"),
            HERE,
            "length/replies=concise",
            id="everywhere, said or unsaid",
        ),
        pytest.param(
            durable("length", "concise", scope={"repository": "shop"}),
            durable("length", "concise"),
            SHOP,
            "length/replies=concise @repository shop",
            id="the scope unsaid, where the rule holds",
        ),
        pytest.param(
            durable("length", "concise", condition=MAILS),
            durable("length", "concise"),
            MAIL,
            "length/replies=concise ?in mails",
            id="the condition unsaid, while it applies",
        ),
        pytest.param(
            durable("length", "concise", condition=MAILS),
            durable("length", "concise", condition=when("for e-mail", "task:mail")),
            HERE,
            "length/replies=concise ?in mails",
            id="the same condition in other words",
        ),
        pytest.param(
            durable("length", "concise", scope={"repository": "shop"}, condition=MAILS),
            durable("length", "concise", condition=MAILS),
            SHOP,
            "length/replies=concise @repository shop ?in mails",
            id="the scope unsaid, and the condition said",
        ),
        pytest.param(
            durable("length", "concise", exception=MAILS),
            durable("length", "concise"),
            HERE,
            "length/replies=concise except in mails",
            id="the exception unsaid",
        ),
        pytest.param(
            durable("length", "concise", exception=MAILS),
            durable("length", "concise", exception=MAILS),
            HERE,
            "length/replies=concise except in mails",
            id="the exception it has",
        ),
        pytest.param(
            durable("length", "concise"),
            durable("length", "concise", until="2026-03-06"),
            HERE,
            "length/replies=concise",
            id="with an end, where the rule has none",
        ),
        pytest.param(
            durable("length", "concise", until="2026-03-06"),
            durable("length", "concise"),
            HERE,
            "length/replies=concise until 2026-03-06",
            id="without an end, where the rule has one",
        ),
        pytest.param(
            durable("length", "concise", until="2026-03-06"),
            durable("length", "concise", until="2026-03-06"),
            HERE,
            "length/replies=concise until 2026-03-06",
            id="with the end it has",
        ),
        pytest.param(
            durable("length", "concise"),
            durable("length", "concise", until="permanent"),
            HERE,
            "length/replies=concise",
            id="permanent, where the rule has no end",
        ),
        pytest.param(
            durable("length", "concise"),
            durable("length", "concise", revises="change"),
            HERE,
            "length/replies=concise",
            id="it revises, and changes nothing",
        ),
    ],
)
def test_an_equal_value_in_the_same_place_is_evidence(
    before: Label, then: Label, context: Context, active: str
) -> None:
    ledger = Ledger()
    first = ledger.say(before)
    again = ledger.say(then, context=context)

    assert ledger.rows(again) == [Row.REINFORCE]
    assert ledger.lines() == [active]
    rule = ledger.rule(first)
    assert [(each.turn, each.label) for each in rule.evidence] == [
        (first.turn, 0),
        (again.turn, 0),
    ]
    assert rule.said_at == again.said_at


@pytest.mark.parametrize(
    ("before", "then", "context"),
    [
        pytest.param(
            durable("length", "concise", scope={"repository": "shop"}),
            durable("length", "concise"),
            HERE,
            id="the scope unsaid, where the rule does not hold",
        ),
        pytest.param(
            durable("length", "concise", condition=MAILS),
            durable("length", "concise"),
            HERE,
            id="the condition unsaid, and not known to apply",
        ),
        pytest.param(
            durable("length", "concise", scope={"repository": "shop"}),
            durable("length", "concise", scope="everywhere"),
            SHOP,
            id="everywhere is said, where a narrower rule holds",
        ),
        pytest.param(
            durable("length", "concise", condition=MAILS),
            durable("length", "concise", condition=when("in chats", "task:chat")),
            MAIL,
            id="another condition is said",
        ),
    ],
)
def test_an_equal_value_in_another_place_is_a_rule_of_its_own(
    before: Label, then: Label, context: Context
) -> None:
    _, active = after(before, then=then, context=context)

    assert len(active) == 2


# --- Supersede: another value, the same place ------------------------------------------


@pytest.mark.parametrize(
    ("before", "then", "row", "active"),
    [
        pytest.param(
            durable("language", "zh"),
            durable("language", "en"),
            Row.REPLACE_VALUE,
            "language/replies=en",
            id="another value in a slot of one",
        ),
        pytest.param(
            durable("length", "concise"),
            durable("length", "!concise"),
            Row.FLIP_POLARITY,
            "length/replies=!concise",
            id="the opposite in a slot of one",
        ),
        pytest.param(
            durable("content", "formula"),
            durable("content", "!formula"),
            Row.FLIP_POLARITY,
            "content/replies=!formula",
            id="the opposite in a slot of many",
        ),
        pytest.param(
            durable("content", "!formula"),
            durable("content", "~formula"),
            Row.FLIP_POLARITY,
            "content/replies=~formula",
            id="a ban is lifted",
        ),
        pytest.param(
            durable("language", "en", until="2026-03-06"),
            durable("language", "fr"),
            Row.REPLACE_VALUE,
            "language/replies=fr",
            id="a rule with an end",
        ),
        pytest.param(
            durable("language", "en", until="2026-03-06"),
            durable("language", "fr", until="2026-03-09"),
            Row.REPLACE_VALUE,
            "language/replies=fr until 2026-03-09",
            id="a rule with an end, by one with an end",
        ),
        pytest.param(
            durable("language", "en", condition=MAILS),
            durable("language", "fr", condition=MAILS),
            Row.REPLACE_VALUE,
            "language/replies=fr ?in mails",
            id="under the same condition",
        ),
        pytest.param(
            durable("language", "en", scope={"repository": "shop"}),
            durable("language", "fr", scope={"repository": "Shop"}),
            Row.REPLACE_VALUE,
            "language/replies=fr @repository Shop",
            id="in the same named place",
        ),
    ],
)
def test_what_cannot_stand_beside_a_rule_takes_its_place(
    before: Label, then: Label, row: Row, active: str
) -> None:
    ledger = Ledger()
    first = ledger.say(before)
    second = ledger.say(then)

    assert ledger.rows(second) == [row]
    assert ledger.lines() == [active]
    old, new = ledger.rule(first), ledger.rule(second)
    assert old.state is State.SUPERSEDED
    assert (old.superseded_by, new.supersedes) == (new.id, (old.id,))
    assert (old.ended_by, old.ended_at) == (second.turn, second.recorded_at)
    assert not old.corrected


def test_a_change_of_mind_and_back_is_a_rule_each() -> None:
    ledger = Ledger()
    first, _, third = (ledger.say(durable("language", value)) for value in ("zh", "en", "zh"))

    assert ledger.lines() == ["language/replies=zh"]
    assert ledger.rule(first).state is State.SUPERSEDED
    assert ledger.rule(third).state is State.ACTIVE


# --- Add beside ---


@pytest.mark.parametrize(
    ("before", "then", "row"),
    [
        pytest.param(
            durable("content", "formula"),
            durable("content", "units"),
            Row.ADD_VALUE,
            id="another value in a slot of many",
        ),
        pytest.param(
            durable("length", "concise"),
            durable("length", "!bullet"),
            Row.ADD_VALUE,
            id="to avoid another value",
        ),
        pytest.param(
            durable("length", "concise"), durable("tone", "warm"), Row.NEW, id="another slot"
        ),
        pytest.param(
            durable("language", "zh"),
            durable("language/code-comments", "en"),
            Row.NEW,
            id="a narrower target",
        ),
        pytest.param(
            durable("language", "zh"),
            durable("language", "en", scope={"repository": "shop"}),
            Row.ADD_NARROWER,
            id="a narrower scope",
        ),
        pytest.param(
            durable("language", "zh"),
            durable("language", "en", condition=MAILS),
            Row.ADD_NARROWER,
            id="with a condition",
        ),
        pytest.param(
            durable("language", "zh", scope={"repository": "shop"}),
            durable("language", "en", scope={"repository": "api"}),
            Row.ADD_NARROWER,
            id="incomparable places",
        ),
        pytest.param(
            durable("language", "zh", scope={"repository": "shop"}),
            durable("language", "en", condition=MAILS),
            Row.ADD_NARROWER,
            id="narrower in one way and broader in another",
        ),
        pytest.param(
            durable("language", "en", scope={"repository": "shop"}),
            durable("language", "zh"),
            Row.ADD_BROADER,
            id="broader: the narrower one stays an exception",
        ),
        pytest.param(
            durable("language", "en", condition=MAILS),
            durable("language", "zh"),
            Row.ADD_BROADER,
            id="without a condition: the conditional one stays",
        ),
        pytest.param(
            durable("language", "zh"),
            durable("language", "en", until="2026-03-06"),
            Row.ADD_TEMPORARY,
            id="with an end: it overrides while it lasts",
        ),
        pytest.param(
            durable("language", "zh"),
            durable("language", "en", until="the launch"),
            Row.ADD_TEMPORARY,
            id="until an event",
        ),
        pytest.param(
            durable("language", "zh"),
            durable("language", "en", until="2026-03-06", revises="change"),
            Row.ADD_TEMPORARY,
            id="with an end and revising: the rule without one comes back",
        ),
        pytest.param(
            durable("length", "concise"),
            durable("length", "concise", scope={"repository": "shop"}),
            Row.ADD_NARROWER,
            id="an equal value in a narrower place",
        ),
        pytest.param(
            durable("length", "concise", scope={"repository": "shop"}),
            durable("length", "concise"),
            Row.ADD_BROADER,
            id="an equal value in a broader place",
        ),
    ],
)
def test_what_can_stand_beside_a_rule_is_added(before: Label, then: Label, row: Row) -> None:
    ledger = Ledger()
    first = ledger.say(before)
    second = ledger.say(then)

    assert ledger.rows(second) == [row]
    assert [ledger.rule(turn).state for turn in (first, second)] == [State.ACTIVE] * 2
    assert ledger.rule(second).supersedes == ()


def test_the_strongest_reason_names_the_row() -> None:
    rows, active = after(
        durable("content", "units"),
        durable("content", "formula", scope={"repository": "shop"}),
        then=durable("content", "!formula"),
    )

    assert rows == [Row.ADD_BROADER]
    assert len(active) == 3


# --- Sweeping ---


def test_sweeping_takes_the_place_of_what_it_covers() -> None:
    rows, active = after(
        durable("language", "en", scope={"repository": "shop"}),
        durable("language", "fr", condition=MAILS),
        durable("language", "zh", scope={"repository": "api"}),
        durable("language/code-comments", "en", scope={"repository": "shop"}),
        then=durable("language", "zh", sweeping=True),
    )

    assert rows == [Row.SWEEP]
    assert active == [
        "language/code-comments=en @repository shop",
        "language/replies=zh",
    ]


def test_sweeping_within_a_place_leaves_the_others() -> None:
    _, active = after(
        durable("language", "en", scope={"repository": "shop", "workspace": "web"}),
        durable("language", "en", scope={"repository": "api"}),
        durable("language", "fr"),
        then=durable("language", "zh", scope={"repository": "shop"}, sweeping=True),
    )

    assert active == [
        "language/replies=en @repository api",
        "language/replies=fr",
        "language/replies=zh @repository shop",
    ]


def test_a_rule_said_again_sweeps_too() -> None:
    rows, active = after(
        durable("language", "zh"),
        durable("language", "en", scope={"repository": "shop"}),
        then=durable("language", "zh", sweeping=True),
    )

    assert rows == [Row.REPLACE_VALUE, Row.REINFORCE]
    assert active == ["language/replies=zh"]


def test_sweeping_with_an_end_ends_no_rule_without() -> None:
    rows, active = after(
        durable("language", "en", scope={"repository": "shop"}),
        then=durable("language", "zh", sweeping=True, until="2026-03-06"),
    )

    assert rows == [Row.ADD_BROADER]
    assert len(active) == 2


def test_in_a_slot_of_many_sweeping_leaves_other_values() -> None:
    _, active = after(
        durable("content", "units", scope={"repository": "shop"}),
        durable("content", "!formula", scope={"repository": "shop"}),
        then=durable("content", "formula", sweeping=True),
    )

    assert active == ["content/replies=formula", "content/replies=units @repository shop"]


# --- Ends ---


@pytest.mark.parametrize(
    ("then", "row", "active"),
    [
        pytest.param(
            durable("language", "en", until="2026-03-09"),
            Row.RENEW_UNTIL,
            "language/replies=en until 2026-03-09",
            id="a new end replaces the old one",
        ),
        pytest.param(
            durable("language", "en", until="the launch"),
            Row.RENEW_UNTIL,
            "language/replies=en until the launch",
            id="an event replaces a day",
        ),
        pytest.param(
            durable("language", "en", until="permanent"),
            Row.LIFT_UNTIL,
            "language/replies=en",
            id="permanent lifts it",
        ),
        pytest.param(
            durable("language", "en", revises="change"),
            Row.LIFT_UNTIL,
            "language/replies=en",
            id="a label that revises lifts it",
        ),
    ],
)
def test_an_equal_value_moves_or_lifts_an_end(then: Label, row: Row, active: str) -> None:
    ledger = Ledger()
    first = ledger.say(durable("language", "en", until="2026-03-06"))
    second = ledger.say(then)

    assert ledger.rows(second) == [row]
    assert ledger.lines() == [active]
    assert ledger.rule(first).superseded_by == id_of(second)


def test_the_default_comes_back_after_a_moved_end() -> None:
    _, active = after(
        durable("language", "zh"),
        durable("language", "en", until="2026-03-06"),
        then=durable("language", "en", until="2026-03-09"),
    )

    assert active == ["language/replies=en until 2026-03-09", "language/replies=zh"]


@pytest.mark.parametrize("how", [{"until": "permanent"}, {"revises": "change"}])
def test_a_temporary_rule_that_becomes_permanent_takes_the_place_of_the_default(
    how: dict[str, str],
) -> None:
    _, active = after(
        durable("language", "zh"),
        durable("language", "en", until="2026-03-06"),
        then=durable("language", "en", **how),
    )

    assert active == ["language/replies=en"]


def test_repeating_a_temporary_rule_leaves_the_default() -> None:
    rows, active = after(
        durable("language", "zh"),
        durable("language", "en", until="2026-03-06"),
        then=durable("language", "en"),
    )

    assert rows == [Row.REINFORCE]
    assert active == ["language/replies=en until 2026-03-06", "language/replies=zh"]


def test_repeating_the_default_ends_a_temporary_rule() -> None:
    rows, active = after(
        durable("language", "zh"),
        durable("language", "en", until="2026-03-06"),
        then=durable("language", "zh"),
    )

    assert rows == [Row.REPLACE_VALUE, Row.REINFORCE]
    assert active == ["language/replies=zh"]


def test_a_label_that_revises_may_set_an_end() -> None:
    rows, active = after(
        durable("language", "en"),
        then=durable("language", "en", until="2026-03-06", revises="change"),
    )

    assert rows == [Row.REVISE]
    assert active == ["language/replies=en until 2026-03-06"]


def test_a_moved_end_keeps_the_place_left_unsaid() -> None:
    ledger = Ledger()
    ledger.say(
        durable(
            "language",
            "en",
            until="2026-03-06",
            scope={"repository": "shop"},
            condition=MAILS,
            exception=when("to Ann", "audience:ann"),
        )
    )
    ledger.say(
        durable("language", "en", until="2026-03-09"),
        context=SHOP.model_copy(update={"task_type": "mail"}),
    )

    assert ledger.lines() == [
        "language/replies=en @repository shop ?in mails except to Ann until 2026-03-09"
    ]


@pytest.mark.parametrize(
    ("then", "active"),
    [
        pytest.param(durable("language", "en"), "language/replies=en", id="the same, for good"),
        pytest.param(
            durable("language", "en", until="2026-03-13"),
            "language/replies=en until 2026-03-13",
            id="the same, with a new end",
        ),
        pytest.param(durable("language", "fr"), "language/replies=fr", id="another value"),
    ],
)
def test_a_rule_whose_last_day_is_over_is_not_there(then: Label, active: str) -> None:
    ledger = Ledger()
    over = ledger.say(durable("language", "en", until="2026-03-03"))
    late = ledger.say(then, at=datetime(2026, 3, 5, 9, tzinfo=UTC))

    assert ledger.rows(late) == [Row.NEW]
    assert ledger.rule(over).superseded_by is None
    assert [rule.id for rule in ledger.in_force().winners] == [id_of(late)]
    assert active in ledger.lines()


def test_on_its_last_day_a_rule_is_there() -> None:
    ledger = Ledger()
    ledger.say(durable("language", "en", until="2026-03-03"))
    again = ledger.say(durable("language", "en"), at=datetime(2026, 3, 3, 23, tzinfo=UTC))

    assert ledger.rows(again) == [Row.REINFORCE]


# --- Exceptions ---


def test_an_exception_is_added_to_an_equal_rule() -> None:
    rows, active = after(
        durable("length", "concise", until="2026-03-06"),
        then=durable("length", "concise", exception=MAILS),
    )

    assert rows == [Row.REVISE]
    assert active == ["length/replies=concise except in mails until 2026-03-06"]


def test_another_exception_takes_the_place_of_the_first() -> None:
    _, active = after(
        durable("length", "concise", exception=MAILS),
        then=durable("length", "concise", exception=when("in chats", "task:chat")),
    )

    assert active == ["length/replies=concise except in chats"]


# --- Revising ---


@pytest.mark.parametrize(
    ("before", "then", "context", "active"),
    [
        pytest.param(
            [durable("language", "zh")],
            durable("language", "en", revises="change"),
            HERE,
            ["language/replies=en"],
            id="the rule of the slot",
        ),
        pytest.param(
            [],
            durable("language", "en", revises="change"),
            HERE,
            ["language/replies=en"],
            id="nothing to revise: the rule is new",
        ),
        pytest.param(
            [durable("language", "zh", scope={"repository": "shop"})],
            durable("language", "en", revises="change"),
            SHOP,
            ["language/replies=en @repository shop"],
            id="an unsaid scope is inherited",
        ),
        pytest.param(
            [durable("language", "zh", scope={"repository": "shop"})],
            durable("language", "en", revises="change"),
            HERE,
            ["language/replies=en", "language/replies=zh @repository shop"],
            id="a rule of another place is not meant",
        ),
        pytest.param(
            [durable("language", "zh", condition=MAILS)],
            durable("language", "en", revises="change"),
            HERE,
            ["language/replies=en ?in mails"],
            id="an unsaid condition is inherited",
        ),
        pytest.param(
            [durable("language", "zh", exception=MAILS)],
            durable("language", "en", revises="change"),
            HERE,
            ["language/replies=en except in mails"],
            id="an unsaid exception is inherited",
        ),
        pytest.param(
            [durable("language", "zh")],
            durable("language", "en", revises="change", scope={"repository": "shop"}),
            HERE,
            ["language/replies=en @repository shop"],
            id="even when the new one is narrower in scope",
        ),
        pytest.param(
            [durable("length", "concise")],
            durable("length", "concise", revises="change", condition=MAILS),
            HERE,
            ["length/replies=concise ?in mails"],
            id="even when the new one is narrower in condition",
        ),
        pytest.param(
            [durable("language", "zh"), durable("language", "fr", scope={"repository": "shop"})],
            durable("language", "en", revises="change"),
            SHOP,
            ["language/replies=en @repository shop", "language/replies=zh"],
            id="of two that hold, the one that wins here",
        ),
        pytest.param(
            [durable("language", "zh"), durable("language", "fr", scope={"repository": "shop"})],
            durable("language", "en", revises="change", scope="everywhere"),
            SHOP,
            ["language/replies=en", "language/replies=fr @repository shop"],
            id="of two that hold, the one of the scope said",
        ),
        pytest.param(
            [durable("language", "zh"), durable("language", "fr", condition=MAILS)],
            durable("language", "en", revises="change"),
            HERE,
            ["language/replies=en", "language/replies=fr ?in mails"],
            id="the default, where no condition is said",
        ),
        pytest.param(
            [durable("language", "zh"), durable("language", "fr", condition=MAILS)],
            durable("language", "en", revises="change", condition=MAILS),
            HERE,
            ["language/replies=en ?in mails", "language/replies=zh"],
            id="the rule of the condition said",
        ),
        pytest.param(
            [durable("language", "zh"), durable("language", "fr", condition=MAILS)],
            durable("language", "en", revises="change", condition=when("in chats", "task:chat")),
            HERE,
            ["language/replies=en ?in chats", "language/replies=fr ?in mails"],
            id="the default, where no rule has the condition said",
        ),
        pytest.param(
            [
                durable("language", "Chinese", condition=MAILS),
                durable("language", "fr", condition=when("in chats", "task:chat")),
            ],
            durable("language", "en", revises="change", replaces="中文"),
            HERE,
            ["language/replies=en ?in mails", "language/replies=fr ?in chats"],
            id="the language named in another way",
        ),
        pytest.param(
            [
                durable("language", "zh", exception=MAILS),
                durable("language", "fr", until="2026-03-06"),
            ],
            durable("language", "en", revises="change"),
            HERE,
            ["language/replies=en"],
            id="what is unsaid as in the temporary rule, not the default under it",
        ),
        pytest.param(
            [durable("language", "zh"), durable("language", "fr", until="2026-03-06")],
            durable("language", "en", revises="change"),
            HERE,
            ["language/replies=en"],
            id="a temporary rule and the default under it",
        ),
        pytest.param(
            [durable("language", "fr", until="2026-03-06")],
            durable("language", "en", revises="change", until="2026-03-09"),
            HERE,
            ["language/replies=en until 2026-03-09"],
            id="a temporary rule by a temporary one",
        ),
        pytest.param(
            [durable("content", "formula")],
            durable("content", "units", revises="change"),
            HERE,
            ["content/replies=units"],
            id="the only value of a slot of many",
        ),
        pytest.param(
            [durable("content", "formula"), durable("content", "units")],
            durable("content", "sources", revises="change", replaces="formula"),
            HERE,
            ["content/replies=sources", "content/replies=units"],
            id="the value named, in a slot of many",
        ),
        pytest.param(
            [
                durable("content", "formula", statement="Show how it is computed"),
                durable("content", "units", statement="Show the units"),
            ],
            durable("content", "sources", revises="change", replaces="how it's computed"),
            HERE,
            ["content/replies=sources", "content/replies=units"],
            id="the value named in the words of its rule",
        ),
        pytest.param(
            [durable("content", "formula")],
            durable("content", "sources", revises="change", scope="everywhere"),
            HERE,
            ["content/replies=sources"],
            id="the only value of the scope said",
        ),
        pytest.param(
            [durable("content", "formula"), durable("content", "formula in words")],
            durable("content", "sources", revises="change", replaces="Formula"),
            HERE,
            ["content/replies=formula in words", "content/replies=sources"],
            id="the value named, before one that holds its words",
        ),
        pytest.param(
            [durable("content", "formula"), durable("content", "show units")],
            durable("content", "sources", revises="change", replaces="the units"),
            HERE,
            ["content/replies=formula", "content/replies=sources"],
            id="the value named by one of its words",
        ),
        pytest.param(
            [
                durable("content", "!units"),
                durable("content", "units", scope={"repository": "shop"}),
            ],
            durable("content", "~units", revises="change"),
            SHOP,
            ["content/replies=!units", "content/replies=~units @repository shop"],
            id="of two that speak of the value, the one that wins here",
        ),
        pytest.param(
            [durable("content", "formula"), durable("content", "units")],
            durable("content", "!units", revises="change"),
            HERE,
            ["content/replies=!units", "content/replies=formula"],
            id="the value that flips, in a slot of many",
        ),
        pytest.param(
            [durable("detail", "expert")],
            durable("tone", "plain", revises="change", replaces="expert"),
            HERE,
            ["tone/replies=plain"],
            id="the value named, where the slot is another",
        ),
        pytest.param(
            [durable("detail", "expert"), durable("tone", "dry")],
            durable("tone", "plain", revises="change", replaces="expert"),
            HERE,
            ["detail/replies=expert", "tone/replies=plain"],
            id="the rule of the slot before the value named elsewhere",
        ),
        pytest.param(
            [durable("detail", "expert")],
            durable("tone", "plain", revises="change", replaces="deep"),
            HERE,
            ["detail/replies=expert", "tone/replies=plain"],
            id="no rule of that value anywhere",
        ),
    ],
)
def test_a_label_that_revises_takes_the_place_of_the_rule_it_means(
    before: list[Label], then: Label, context: Context, active: list[str]
) -> None:
    _, found = after(*before, then=then, context=context)

    assert found == active


@pytest.mark.parametrize("how", list(Revises))
def test_a_correction_is_told_from_a_change(how: Revises) -> None:
    ledger = Ledger()
    first = ledger.say(durable("language", "zh"))
    second = ledger.say(durable("language", "en", revises=how))

    assert ledger.rows(second) == [Row.REVISE]
    assert ledger.rule(first).corrected is (how is Revises.CORRECTION)


def test_with_several_values_and_none_named_it_is_added_and_asked() -> None:
    ledger = Ledger()
    first, second = (
        ledger.say(durable("content", "formula")),
        ledger.say(durable("content", "units")),
    )
    third = ledger.say(durable("content", "sources", revises="change", quote="sources instead"))

    assert ledger.rows(third) == [Row.REVISE_ASK]
    assert len(ledger.lines()) == 3
    asked = ledger.questions[0]
    assert (asked.ask, asked.words) == (Ask.WHICH_VALUE, "sources instead")
    assert asked.candidates == (id_of(first), id_of(second))


def test_with_several_values_to_avoid_and_none_named_it_is_asked() -> None:
    rows, active = after(
        durable("length", "!long"),
        durable("length", "!bullet"),
        then=durable("length", "!wordy", revises="change"),
    )

    assert rows == [Row.REVISE_ASK]
    assert len(active) == 3


def test_with_several_values_that_share_the_words_it_is_asked() -> None:
    ledger = Ledger()
    ledger.say(durable("content", "first-steps", statement="Show the first steps"))
    ledger.say(durable("content", "last-steps", statement="Show the last steps"))
    third = ledger.say(durable("content", "sources", revises="change", replaces="the steps"))

    assert ledger.rows(third) == [Row.REVISE_ASK]


def test_a_label_that_revises_nothing_leaves_other_rules() -> None:
    rows, active = after(
        durable("content", "formula"), then=durable("tone", "warm", revises="change")
    )

    assert rows == [Row.NEW]
    assert active == ["content/replies=formula", "tone/replies=warm"]


# --- Within one turn ---


@pytest.mark.parametrize(
    ("labels", "active"),
    [
        pytest.param(
            [durable("language", "zh"), durable("language", "en")],
            ["language/replies=en"],
            id="the later quote wins",
        ),
        pytest.param(
            [
                durable("language", "zh"),
                durable("language", "en", scope={"repository": "shop"}),
            ],
            ["language/replies=en @repository shop", "language/replies=zh"],
            id="another scope is an exception",
        ),
        pytest.param(
            [
                durable("tone", "formal", condition=when("to clients", "task:mail")),
                durable("tone", "casual", condition=when("to friends", "task:mail")),
            ],
            ["tone/replies=casual ?to friends", "tone/replies=formal ?to clients"],
            id="other words under the same tags are another condition",
        ),
        pytest.param(
            [durable("language", "zh"), once("language", "en")],
            ["language/replies=en for this task", "language/replies=zh"],
            id="another intent is an exception",
        ),
        pytest.param(
            [durable("content", "formula"), durable("content", "units")],
            ["content/replies=formula", "content/replies=units"],
            id="many values stand side by side",
        ),
    ],
)
def test_labels_of_one_turn(labels: list[Label], active: list[str]) -> None:
    ledger = Ledger()
    ledger.say(*labels)

    assert ledger.lines() == active


def test_the_later_quote_wins_over_the_earlier_with_a_row_of_its_own() -> None:
    ledger = Ledger()
    turn = ledger.say(durable("language", "zh"), durable("language", "en"))

    assert ledger.rows(turn) == [Row.NEW, Row.LATER_QUOTE_WINS]
    assert ledger.rule(turn, 0).superseded_by == id_of(turn, 1)


# --- Conditions under the same tags ----------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "active"),
    [
        pytest.param(
            "to clients",
            ["tone/replies=casual ?to friends", "tone/replies=neutral ?to clients"],
            id="the words of one of them",
        ),
        pytest.param(
            "to my boss",
            [
                "tone/replies=casual ?to friends",
                "tone/replies=formal ?to clients",
                "tone/replies=neutral ?to my boss",
            ],
            id="the words of neither",
        ),
    ],
)
def test_once_told_apart_by_words_two_conditions_stay_apart(words: str, active: list[str]) -> None:
    ledger = Ledger()
    ledger.say(
        durable("tone", "formal", condition=when("to clients", "task:mail")),
        durable("tone", "casual", condition=when("to friends", "task:mail")),
    )
    ledger.say(durable("tone", "neutral", condition=when(words, "task:mail")))

    assert ledger.lines() == active


def test_once_told_apart_the_words_say_which_one_is_revised() -> None:
    ledger = Ledger()
    ledger.say(
        durable("tone", "formal", condition=when("to clients", "task:mail")),
        durable("tone", "casual", condition=when("to friends", "task:mail")),
    )
    ledger.say(
        durable("tone", "neutral", revises="change", condition=when("to clients", "task:mail"))
    )

    assert ledger.lines() == ["tone/replies=casual ?to friends", "tone/replies=neutral ?to clients"]


def test_without_another_to_tell_it_from_equal_tags_are_one_condition() -> None:
    _, active = after(
        durable("tone", "formal", condition=when("to clients", "task:mail")),
        durable("detail", "deep", condition=when("in mails", "task:mail")),
        then=durable("tone", "casual", condition=when("when I write mails", "task:mail")),
    )

    assert active == ["detail/replies=deep ?in mails", "tone/replies=casual ?when I write mails"]


# --- Proposals ---


def test_an_equal_proposal_is_confirmed_in_the_users_words() -> None:
    ledger = Ledger()
    first = ledger.say(inferred("length", "concise", statement="Seems to like it short"))
    said = durable(
        "length", "concise", statement="Keep it short", exception=MAILS, until="2026-03-06"
    )
    second = ledger.say(said)

    assert ledger.rows(second) == [Row.CONFIRM]
    assert ledger.lines() == ["length/replies=concise except in mails until 2026-03-06"]
    rule = ledger.rule(first)
    assert (rule.provenance, rule.statement) == (Provenance.STATED, "Keep it short")
    assert len(rule.evidence) == 2


def test_a_confirmation_without_words_keeps_those_of_the_proposal() -> None:
    ledger = Ledger()
    first = ledger.say(inferred("length", "concise", statement="Seems to like it short"))
    ledger.say(durable("length", "concise"))

    assert ledger.rule(first).statement == "Seems to like it short"


@pytest.mark.parametrize(
    ("proposed", "said", "context", "active"),
    [
        pytest.param({}, {"scope": {"repository": "shop"}}, HERE, "@repository shop", id="said"),
        pytest.param(
            {"scope": {"repository": "shop"}}, {}, SHOP, "@repository shop", id="unsaid, there"
        ),
        pytest.param({"scope": {"repository": "shop"}}, {}, HERE, "", id="unsaid, elsewhere"),
    ],
)
def test_a_confirmed_proposal_holds_where_the_user_said(
    proposed: dict[str, Any], said: dict[str, Any], context: Context, active: str
) -> None:
    rows, found = after(
        inferred("length", "concise", **proposed),
        then=durable("length", "concise", **said),
        context=context,
    )

    assert rows == [Row.CONFIRM]
    assert found == [f"length/replies=concise {active}".strip()]


def test_a_confirmed_proposal_takes_the_place_of_what_it_contradicts() -> None:
    ledger = Ledger()
    old = ledger.say(durable("length", "long", scope={"repository": "shop"}))
    ledger.say(inferred("length", "concise"))
    ledger.say(durable("length", "concise", revises="change"), context=SHOP)

    assert ledger.lines() == ["length/replies=concise @repository shop"]
    assert ledger.rule(old).state is State.SUPERSEDED


@pytest.mark.parametrize(
    ("proposed", "said", "row"),
    [
        pytest.param(MAILS, MAILS, Row.CONFIRM, id="the same"),
        pytest.param(None, MAILS, Row.NEW, id="said, and not proposed"),
        pytest.param(MAILS, None, Row.NEW, id="proposed, and not said"),
    ],
)
def test_a_proposal_is_confirmed_under_its_condition(
    proposed: dict[str, Any] | None, said: dict[str, Any] | None, row: Row
) -> None:
    rows, _ = after(
        inferred("length", "concise", condition=proposed),
        then=durable("length", "concise", condition=said),
    )

    assert rows == [row]


def test_an_equal_rule_is_reinforced_before_a_proposal_is_confirmed() -> None:
    ledger = Ledger()
    ledger.say(durable("length", "concise", scope={"repository": "shop"}))
    ledger.say(inferred("length", "concise"))
    last = ledger.say(durable("length", "concise"), context=SHOP)

    assert ledger.rows(last) == [Row.REINFORCE]
    assert ledger.lines(State.PROPOSED) == ["length/replies=concise"]


@pytest.mark.parametrize("value", ["long", "!concise"])
def test_a_contrary_rule_drops_a_proposal(value: str) -> None:
    ledger = Ledger()
    first = ledger.say(inferred("length", "concise"))
    second = ledger.say(durable("length", value))

    assert ledger.rows(second) == [Row.DROP_PROPOSAL, Row.NEW]
    assert ledger.rule(first).state is State.EXPIRED


def test_an_unrelated_rule_leaves_a_proposal() -> None:
    ledger = Ledger()
    ledger.say(inferred("length", "concise"))
    second = ledger.say(durable("tone", "warm"))

    assert ledger.rows(second) == [Row.NEW]
    assert ledger.lines(State.PROPOSED) == ["length/replies=concise"]


# --- Facts ---

PORT = durable("project_fact/ports", "8081", kind="fact")


def test_a_fact_with_a_reference_is_a_rule() -> None:
    ledger = Ledger()
    turn = ledger.say(PORT, references=[COMMIT])

    assert ledger.rows(turn) == [Row.NEW]
    assert ledger.rule(turn).review is None
    assert ledger.rule(turn).evidence[0].references == (COMMIT,)


def test_a_fact_without_one_is_kept_as_unverified_once() -> None:
    ledger = Ledger()
    first, again = ledger.say(PORT), ledger.say(PORT)

    assert [ledger.rows(turn) for turn in (first, again)] == [[Row.UNVERIFIED_FACT]] * 2
    assert len(ledger.rules) == 1
    assert ledger.rules[0].review == "unverified"
    assert len(ledger.rules[0].evidence) == 2


def test_an_unverified_fact_does_not_touch_a_verified_one() -> None:
    ledger = Ledger()
    verified = ledger.say(PORT, references=[COMMIT])
    ledger.say(durable("project_fact/ports", "9090", kind="fact"))
    ledger.say(PORT)

    assert ledger.rule(verified).state is State.ACTIVE
    assert len(ledger.rule(verified).evidence) == 2
    assert len(ledger.rules) == 2


def test_a_fact_said_again_backs_the_verified_one() -> None:
    ledger = Ledger()
    unverified, verified = ledger.say(PORT), ledger.say(PORT, references=[COMMIT])
    ledger.say(PORT)

    assert len(ledger.rule(unverified).evidence) == 1
    assert len(ledger.rule(verified).evidence) == 2


def test_a_verified_fact_is_not_merged_into_an_unverified_one() -> None:
    ledger = Ledger()
    ledger.say(PORT)
    other = ledger.say(durable("project_fact/ports", "9090", kind="fact"))
    verified = ledger.say(PORT, references=[COMMIT])

    assert ledger.rows(verified) == [Row.NEW]
    assert ledger.rule(other).state is State.ACTIVE
    assert [rule.id for rule in ledger.in_force().winners] == [id_of(verified)]


# --- What the rule keeps ---


def test_a_rule_keeps_what_the_label_says_and_where_it_was_said() -> None:
    ledger = Ledger()
    turn = ledger.say(
        durable(
            "currency",
            "EUR",
            kind="procedure",
            statement="Prices in euros",
            quote=["in euros", "please"],
        ),
        reacts_to="m1",
        index=7,
    )

    rule = ledger.rule(turn)

    assert (rule.kind, rule.statement, rule.recorded_at) == (
        "procedure",
        "Prices in euros",
        NINE.replace(minute=1),
    )
    said = rule.evidence[0]
    assert (said.turn, said.index, said.label) == (turn.turn, 7, 0)
    assert (said.quote, said.reacts_to, said.said_at) == (
        ("in euros", "please"),
        "m1",
        turn.said_at,
    )


def test_a_rule_keeps_who_labelled_it() -> None:
    ledger = Ledger()
    by = LabelledBy(model="m", prompt="p@1")
    turn = ledger.say(durable("length", "concise")).model_copy(update={"labelled_by": by})
    ledger.entries[0] = turn

    assert ledger.rule(turn).labelled_by == by


def test_the_registry_sets_the_dimension_of_a_listed_target() -> None:
    _, active = after(then=durable("format/currency", "EUR"))

    assert active == ["units/currency=EUR"]


def test_a_forgotten_rule_said_again_is_a_new_one() -> None:
    rows, active = after(
        durable("length", "concise"),
        forget("length", "concise"),
        then=durable("length", "concise"),
    )

    assert rows == [Row.NEW]
    assert active == ["length/replies=concise"]

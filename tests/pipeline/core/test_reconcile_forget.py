"""The rows of the reconcile table for a forget or retire: what is found, and what is left alone."""

from datetime import UTC, datetime
from typing import Any

import pytest
from ledgers import ELSEWHERE, HERE, Ledger, durable, forget, id_of, inferred, once, retire, when

from henceforth.schemas.context import Context
from henceforth.schemas.labels import Label
from henceforth.schemas.ledger import TurnEntry
from henceforth.schemas.plan import Ask, Row
from henceforth.schemas.rule import State

SHOP = Context(conversation="talk", repository="shop")
MAILS = when("in mails", "task:mail")
NOTHING: list[str] = []


def told(*labels: Label) -> Ledger:
    ledger = Ledger()
    for label in labels:
        ledger.say(label)
    return ledger


# --- A sole match ---


@pytest.mark.parametrize(
    ("rule", "label"),
    [
        pytest.param(durable("length", "concise"), forget("length", "concise"), id="by its value"),
        pytest.param(
            durable("format/tables", "off"), forget("format/tables", "!table"), id="by its meaning"
        ),
        pytest.param(durable("length", "concise"), forget("length"), id="by its slot alone"),
        pytest.param(
            durable("length", "concise"), forget("length", "Any"), id="by its slot, any value"
        ),
        pytest.param(
            durable("format/tables", "on"),
            forget("format/tables", "off"),
            id="by its value in the other polarity",
        ),
        pytest.param(
            durable("detail", "concise"),
            forget("length", "concise"),
            id="by its value in another dimension",
        ),
        pytest.param(
            durable("length/mails", "concise"),
            forget("length", "concise"),
            id="by its value, where no target is named",
        ),
        pytest.param(
            durable("format", "pros-and-cons-table"),
            forget("content/table", "pros"),
            id="by its target, found in the value",
        ),
        pytest.param(
            durable("content", "concise", statement="Fasse dich kurz"),
            forget("other/all", "kurz", statement="dich kurz fassen"),
            id="by words of its statement",
        ),
        pytest.param(
            durable("content", "vegetarian", quote="I do not eat meat"),
            forget("other/all", "meat", statement="eating no meat"),
            id="by words of its quote",
        ),
        pytest.param(
            durable("content/recipes", "short", statement="回答要简短"),
            forget("other/all", "简短", statement="简短"),
            id="by words in Chinese",
        ),
        pytest.param(
            durable("content/recipes", "short", statement="اجعل الردود قصيرة"),
            forget("other/all", "قصيرة", statement="الردود قصيرة"),
            id="by words in Arabic",
        ),
        pytest.param(
            durable("content/recipes", "short", statement="व्यंजन छोटे रखो"),
            forget("other/all", "छोटे", statement="छोटे व्यंजन"),
            id="by words in Hindi",
        ),
        pytest.param(
            durable("content/recipes", "brief", statement="Keep recipes short"),
            forget("length", "short", statement="keep recipes short"),
            id="by all the words of its statement, whatever the value",
        ),
        pytest.param(
            durable("content/recipes", "short"),
            forget("other/all", "tiny", statement="short recipes"),
            id="by all of two words, which are all of the rule's",
        ),
        pytest.param(
            durable("content/recipes", "brief", statement="Keep it short"),
            forget("other/all", "short titles"),
            id="by half of the words of its value",
        ),
        pytest.param(
            durable("format/tables", "tables"),
            forget("format/tables", "wide", statement="tables"),
            id="by its target, which is all that the rule says",
        ),
        pytest.param(inferred("length", "concise"), forget("length", "concise"), id="a proposal"),
        pytest.param(
            durable("project_fact/ports", "8081", kind="fact"),
            forget("project_fact/ports", "8081"),
            id="an unverified fact",
        ),
    ],
)
def test_a_sole_match_is_taken(rule: Label, label: Label) -> None:
    ledger = told(rule, durable("tone", "warm", statement="Be warm"))
    turn = ledger.say(label)

    assert ledger.rows(turn) == [Row.FORGET]
    assert ledger.lines() == ["tone/replies=warm"]
    gone = next(rule for rule in ledger.rules if rule.state is State.FORGOTTEN)
    assert (gone.ended_by, gone.ended_at) == (turn.turn, turn.recorded_at)


@pytest.mark.parametrize(
    ("rule", "label"),
    [
        pytest.param(
            durable("tone", "friendly", statement="Keep answers friendly"),
            forget("length", "short", statement="Keep answers short"),
            id="another slot whose statement shares most words",
        ),
        pytest.param(
            durable("language", "en"),
            forget("language", "fr", statement="answering in French"),
            id="two languages are never one in other words",
        ),
        pytest.param(
            durable("content", "formula"), forget("content", "units"), id="another value of many"
        ),
        pytest.param(
            durable("format/tables", "off"), forget("format/emoji", "off"), id="another target off"
        ),
        pytest.param(
            durable("length", "concise"),
            forget("length", "concise", scope={"repository": "shop"}),
            id="the default, when a scope is named",
        ),
        pytest.param(
            durable("length", "concise", scope={"repository": "api"}),
            forget("length", "concise", scope={"repository": "shop"}),
            id="a rule of another scope",
        ),
        pytest.param(
            durable("detail", "expert"),
            forget("other/all", "any", statement="what I said on birds"),
            id="nothing in common",
        ),
    ],
)
def test_no_match_is_a_receipt_and_nothing_else(rule: Label, label: Label) -> None:
    ledger = told(rule)
    before = ledger.rules
    turn = ledger.say(label)

    assert ledger.rows(turn) == [Row.FORGET_NOTHING]
    assert ledger.plan(turn).changes[0].rules == ()
    assert ledger.rules == before
    assert not ledger.questions


def test_a_forget_on_an_empty_ledger_is_a_receipt() -> None:
    ledger = Ledger()
    turn = ledger.say(forget("length", "concise"))

    assert ledger.rows(turn) == [Row.FORGET_NOTHING]
    assert ledger.rules == ()


@pytest.mark.parametrize("state", [State.SUPERSEDED, State.FORGOTTEN])
def test_what_is_gone_already_is_not_found(state: State) -> None:
    ledger = told(durable("language", "en"))
    ledger.say(durable("language", "zh") if state is State.SUPERSEDED else forget("language"))
    turn = ledger.say(forget("language", "en"))

    assert ledger.rows(turn) == [Row.FORGET_NOTHING]
    assert ledger.lines(state) == ["language/replies=en"]


def test_a_rule_whose_last_day_is_over_is_not_found() -> None:
    ledger = told(durable("language", "en", until="2026-03-03"))
    turn = ledger.say(forget("language", "en"), at=datetime(2026, 3, 4, tzinfo=UTC))

    assert ledger.rows(turn) == [Row.FORGET_NOTHING]


# --- Which of several ---


def matched(ledger: Ledger, label: Label, context: Context = HERE) -> list[str]:
    ledger.say(label, context=context)
    return ledger.lines(State.FORGOTTEN, State.RETIRED)


@pytest.mark.parametrize(
    ("rules", "label", "context", "taken"),
    [
        pytest.param(
            [durable("content", "formula"), durable("content", "units")],
            forget("content", "units"),
            HERE,
            ["content/replies=units"],
            id="the value",
        ),
        pytest.param(
            [durable("format/tables", "off"), durable("format/tables", "wide")],
            forget("format/tables", "on"),
            HERE,
            ["format/tables=off"],
            id="the value in the other polarity, before another value",
        ),
        pytest.param(
            [durable("length", "concise"), durable("length/mails", "concise")],
            forget("length", "concise"),
            HERE,
            ["length/replies=concise"],
            id="the slot, before the value in another",
        ),
        pytest.param(
            [
                durable("length", "concise"),
                durable("length", "concise", condition=MAILS),
            ],
            forget("length", "concise"),
            HERE,
            ["length/replies=concise"],
            id="the default, where no condition is said",
        ),
        pytest.param(
            [
                durable("length", "concise"),
                durable("length", "concise", condition=MAILS),
            ],
            forget("length", "concise", condition=MAILS),
            HERE,
            ["length/replies=concise ?in mails"],
            id="the condition said",
        ),
        pytest.param(
            [
                durable("length", "concise", scope={"repository": "shop"}),
                durable("length", "concise", scope={"repository": "api"}),
            ],
            forget("length", "concise"),
            SHOP,
            ["length/replies=concise @repository shop"],
            id="the one that holds here",
        ),
        pytest.param(
            [
                durable("length", "concise"),
                durable("length", "concise", scope={"repository": "shop"}),
            ],
            forget("length", "concise", scope={"repository": "shop"}),
            HERE,
            ["length/replies=concise @repository shop"],
            id="the scope named filters",
        ),
        pytest.param(
            [
                durable("length", "concise", scope={"repository": "shop", "workspace": "web"}),
                durable("length", "concise"),
            ],
            forget("length", "concise", scope={"repository": "shop"}),
            HERE,
            ["length/replies=concise @repository shop, workspace web"],
            id="a narrower scope is within the one named",
        ),
        pytest.param(
            [
                durable("content/a", "long-answers", statement="Write long answers"),
                durable("content/b", "long-titles", statement="Write long titles"),
            ],
            forget("other/all", "long", statement="long titles"),
            HERE,
            ["content/b=long-titles"],
            id="the one that shares more words",
        ),
        pytest.param(
            [durable("length/x", "short"), durable("tone/y", "short")],
            forget("tone", "short"),
            HERE,
            ["tone/y=short"],
            id="the dimension breaks a tie",
        ),
    ],
)
def test_the_best_match_is_taken(
    rules: list[Label], label: Label, context: Context, taken: list[str]
) -> None:
    assert matched(told(*rules), label, context) == taken


@pytest.mark.parametrize(
    ("rules", "label"),
    [
        pytest.param(
            [
                durable("length", "concise", scope={"repository": "shop"}),
                durable("length", "concise", scope={"repository": "api"}),
            ],
            forget("length", "concise"),
            id="two that fit equally well",
        ),
        pytest.param(
            [durable("content", "formula"), durable("content", "units")],
            forget("content"),
            id="a slot of two values",
        ),
        pytest.param(
            [durable("length", "max 200 words")],
            forget("length", "concise", statement="keeping it short"),
            id="one that may be meant, in other words",
        ),
        pytest.param(
            [durable("language", "en")],
            forget("language/code-comments", "en"),
            id="the value of another target than the one named",
        ),
        pytest.param(
            [durable("content", "vegetarian", quote="I do not eat meat")],
            forget("other/all", "meat", statement="the thing with the meat"),
            id="one that holds the value's words and few others",
        ),
        pytest.param(
            [
                durable("length", "short", statement="Keep it short"),
            ],
            forget("length", "long", statement="keep it long"),
            id="another value of the slot that shares most words",
        ),
        pytest.param(
            [
                durable("length", "concise", scope={"repository": "shop"}),
                durable("length", "concise", scope={"repository": "api"}),
            ],
            retire("length", "concise", reach="one"),
            id="a retire that names one",
        ),
    ],
)
def test_where_none_is_best_it_is_asked_and_nothing_changes(
    rules: list[Label], label: Label
) -> None:
    ledger = told(*rules)
    before = ledger.rules
    turn = ledger.say(label)

    assert ledger.rows(turn) == [Row.FORGET_ASK]
    assert ledger.rules == before
    asked = ledger.questions[0]
    assert (asked.ask, asked.turn, asked.label) == (Ask.WHICH_RULE, turn.turn, 0)
    assert asked.candidates == tuple(rule.id for rule in before)


def test_an_order_among_several_does_not_decide_which() -> None:
    ledger = told(durable("content", "formula"), durable("content", "units"))
    ledger.say(once("content", "sources"))
    turn = ledger.say(forget("content"))

    assert ledger.rows(turn) == [Row.FORGET_ASK]
    assert len(ledger.questions[0].candidates) == 3


def test_each_question_has_an_id_of_its_own() -> None:
    ledger = told(durable("content", "formula"), durable("content", "units"))
    ledger.say(forget("content"), forget("content"))
    ledger.say(forget("content"))

    assert len({question.id for question in ledger.questions}) == 3


def test_the_question_is_in_the_users_words() -> None:
    quoted, stated = (
        told(durable("content", "formula"), durable("content", "units")) for _ in range(2)
    )
    quoted.say(forget("content", quote=["drop that", "please"], statement="what to show"))
    stated.say(forget("content", statement="what to show"))

    assert quoted.questions[0].words == "drop that … please"
    assert stated.questions[0].words == "what to show"


def test_a_question_is_closed_when_no_candidate_stands() -> None:
    ledger = told(durable("content", "formula"), durable("content", "units"))
    ledger.say(forget("content"))
    ledger.say(forget("content", "units"))

    assert len(ledger.questions) == 1

    ledger.say(forget("content", "formula"))

    assert not ledger.questions


# --- Reach ---

MANY = [
    durable("length", "concise"),
    durable("length/mails", "long"),
    durable("language", "en", scope={"repository": "shop"}),
    durable("tone", "warm", scope={"repository": "shop", "workspace": "web"}),
    inferred("detail", "expert"),
]


@pytest.mark.parametrize(
    ("label", "context", "left"),
    [
        pytest.param(forget("other/all", reach="everything"), HERE, [], id="everything"),
        pytest.param(
            forget("length", reach="dimension"),
            HERE,
            [
                "detail/replies=expert",
                "language/replies=en @repository shop",
                "tone/replies=warm @repository shop, workspace web",
            ],
            id="a dimension, whatever the target",
        ),
        pytest.param(
            forget("other/all", reach="scope", scope={"repository": "shop"}),
            HERE,
            ["detail/replies=expert", "length/mails=long", "length/replies=concise"],
            id="a scope with what is in it",
        ),
        pytest.param(
            forget("other/all", reach="scope"),
            SHOP,
            ["detail/replies=expert", "length/mails=long", "length/replies=concise"],
            id="the scope of the context, where none is named",
        ),
        pytest.param(
            forget("other/all", reach="scope", scope={"repository": "shop", "workspace": "web"}),
            HERE,
            [
                "detail/replies=expert",
                "language/replies=en @repository shop",
                "length/mails=long",
                "length/replies=concise",
            ],
            id="a narrower scope only",
        ),
        pytest.param(
            forget("length", reach="dimension", scope={"repository": "shop"}),
            HERE,
            [
                "detail/replies=expert",
                "language/replies=en @repository shop",
                "length/mails=long",
                "length/replies=concise",
                "tone/replies=warm @repository shop, workspace web",
            ],
            id="a dimension within a scope that has none",
        ),
    ],
)
def test_a_reach_takes_its_rules(label: Label, context: Context, left: list[str]) -> None:
    ledger = told(*MANY)
    ledger.say(label, context=context)

    assert ledger.lines(State.ACTIVE, State.PROPOSED) == left


def test_a_scope_nobody_can_name_takes_nothing() -> None:
    ledger = told(*MANY)
    turn = ledger.say(forget("other/all", reach="scope"))

    assert ledger.rows(turn) == [Row.FORGET_NOTHING]


@pytest.mark.parametrize("intent", [forget, retire])
def test_all_matching_takes_all_that_are_sure(intent: Any) -> None:
    ledger = told(
        durable("tooling/service", "staging-db"),
        durable("workflow/deploys", "staging-db", statement="Deploy through staging-db first"),
        durable("content/notes", "link-db", statement="Link the staging db in notes"),
        durable("tooling/service", "billing", scope={"repository": "shop"}),
    )
    label = intent("tooling/service", "staging-db", reach="all_matching", statement="staging db")
    turn = ledger.say(label)

    assert ledger.rows(turn) == [Row.FORGET if intent is forget else Row.RETIRE]
    assert ledger.lines() == ["tooling/service=billing @repository shop"]


def test_a_retire_takes_all_that_match_unless_it_names_one() -> None:
    ledger = told(
        durable("tooling", "staging-db", scope={"repository": "shop"}),
        durable("tooling", "staging-db", scope={"repository": "api"}),
    )
    turn = ledger.say(retire("tooling", "staging-db"))

    assert ledger.rows(turn) == [Row.RETIRE]
    assert len(ledger.lines(State.RETIRED)) == 2


def test_everything_ends_what_is_for_now_in_any_conversation() -> None:
    ledger = Ledger()
    ledger.say(once("tone", "warm"), context=Context(conversation="other"))
    turn = ledger.say(forget("other/all", reach="everything"))

    assert ledger.rows(turn) == [Row.END_ONCE]
    assert not ledger.lines()


def test_a_dimension_leaves_what_is_for_now_in_another_conversation() -> None:
    ledger = Ledger()
    ledger.say(once("tone", "warm"), context=Context(conversation="other"))
    turn = ledger.say(forget("tone", reach="dimension"))

    assert ledger.rows(turn) == [Row.FORGET_NOTHING]


# --- Before the turn ---


@pytest.mark.parametrize("order", ["forget first", "forget last"])
def test_what_a_turn_brings_it_does_not_take_back(order: str) -> None:
    ledger = told(durable("language", "en", scope={"repository": "shop"}))
    labels = [forget("language", "en"), durable("language", "en")]
    ledger.say(*(labels if order == "forget first" else reversed(labels)))

    assert ledger.lines() == ["language/replies=en"]


def test_everything_leaves_what_the_same_turn_brings() -> None:
    ledger = told(durable("length", "concise"))
    ledger.say(durable("language", "en"), forget("other/all", reach="everything"))

    assert ledger.lines() == ["language/replies=en"]


# --- Back ---


def states(ledger: Ledger, *turns: TurnEntry) -> list[State]:
    return [ledger.rule(turn).state for turn in turns]


def test_back_puts_in_force_what_the_rule_had_superseded() -> None:
    ledger = Ledger()
    zh, en, fr = (ledger.say(durable("language", value)) for value in ("zh", "en", "fr"))
    turn = ledger.say(forget("language", "fr", back=True))

    assert ledger.rows(turn) == [Row.FORGET, Row.RESTORE]
    assert states(ledger, zh, en, fr) == [State.SUPERSEDED, State.ACTIVE, State.FORGOTTEN]
    restored = ledger.rule(en)
    assert (restored.superseded_by, restored.ended_by, restored.ended_at) == (None, None, None)
    assert [rule.value for rule in ledger.in_force(ELSEWHERE).winners] == ["en"]


def test_without_back_what_was_superseded_stays_so() -> None:
    ledger = Ledger()
    zh, en = ledger.say(durable("language", "zh")), ledger.say(durable("language", "en"))
    turn = ledger.say(forget("language", "en"))

    assert ledger.rows(turn) == [Row.FORGET]
    assert states(ledger, zh, en) == [State.SUPERSEDED, State.FORGOTTEN]


def test_back_with_nothing_before_only_forgets() -> None:
    ledger = told(durable("language", "en"))
    turn = ledger.say(forget("language", "en", back=True))

    assert ledger.rows(turn) == [Row.FORGET]


def test_back_after_a_sweep_restores_all_it_took() -> None:
    ledger = told(
        durable("language", "en", scope={"repository": "shop"}),
        durable("language", "fr", scope={"repository": "api"}),
        durable("language", "zh", sweeping=True),
    )
    ledger.say(forget("language", "zh", back=True))

    assert ledger.lines() == [
        "language/replies=en @repository shop",
        "language/replies=fr @repository api",
    ]


def test_what_was_corrected_and_comes_back_is_no_longer_corrected() -> None:
    ledger = Ledger()
    zh = ledger.say(durable("language", "zh"))
    ledger.say(durable("language", "en", revises="correction"))
    assert ledger.rule(zh).corrected
    ledger.say(forget("language", "en", back=True))

    assert ledger.rule(zh).state is State.ACTIVE
    assert not ledger.rule(zh).corrected


def test_back_in_a_task_restores_the_order_before() -> None:
    ledger = Ledger()
    ledger.say(once("language", "en"))
    ledger.say(once("language", "fr"))
    turn = ledger.say(forget("language", "fr", back=True))

    assert ledger.rows(turn) == [Row.END_ONCE, Row.RESTORE]
    assert ledger.lines() == ["language/replies=en for this task"]


def test_once_told_apart_the_words_of_a_condition_say_which_one_goes() -> None:
    ledger = Ledger()
    ledger.say(
        durable("tone", "formal", condition=when("to clients", "task:mail")),
        durable("tone", "casual", condition=when("to friends", "task:mail")),
    )
    ledger.say(forget("tone", condition=when("to clients", "task:mail")))

    assert ledger.lines() == ["tone/replies=casual ?to friends"]


# --- Retire ---


def test_a_retired_rule_is_told_from_a_forgotten_one() -> None:
    ledger = told(durable("tooling", "staging-db"))
    turn = ledger.say(retire("tooling", "staging-db"))

    assert ledger.rows(turn) == [Row.RETIRE]
    assert ledger.lines(State.RETIRED) == ["tooling/replies=staging-db"]


def test_twice_the_same_forget_is_a_receipt_the_second_time() -> None:
    ledger = told(durable("length", "concise"))
    first = ledger.say(forget("length", "concise"))
    second = ledger.say(forget("length", "concise"))

    assert (ledger.rows(first), ledger.rows(second)) == ([Row.FORGET], [Row.FORGET_NOTHING])


def test_a_rule_learns_nothing_from_being_forgotten() -> None:
    ledger = Ledger()
    turn = ledger.say(durable("length", "concise"))
    before = ledger.rule(turn)
    ledger.say(forget("length", "concise"))

    after = ledger.rule(turn)
    assert after.evidence == before.evidence
    assert after.id == id_of(turn)

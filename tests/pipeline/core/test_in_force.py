"""Which rules hold: precedence step by step, conditions, exceptions, ends, tasks and talks."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from ledgers import ELSEWHERE, HERE, NINE, Ledger, durable, inferred, once, shown, when

from henceforth.pipeline.core.in_force import in_force
from henceforth.schemas.context import Context
from henceforth.schemas.in_force import InForce, Step
from henceforth.schemas.labels import Label
from henceforth.schemas.turn import Reference

EVERY_PLACE = Context(
    conversation="fresh",
    project="mall",
    repository="shop",
    workspace="web",
    task_type="mail",
    audience="client",
)


def told(*turns: Label, context: Context = HERE) -> Ledger:
    ledger = Ledger()
    for label in turns:
        ledger.say(label, context=context)
    return ledger


def winners(answer: InForce) -> list[str]:
    return [shown(rule) for rule in answer.winners]


# --- Precedence --------------------------------------------------------------------

EN: dict[Step, Label] = {
    Step.THIS_TASK: once("language", "en", span="conversation"),
    Step.MORE_SCOPE_NAMES: durable("language", "en", scope={"repository": "shop"}),
    Step.NARROWER_PLACE: durable("language", "en", scope={"workspace": "web"}),
    Step.CONDITION_APPLIES: durable("language", "en", condition=when("in mails", "task:mail")),
    Step.RUNNING_UNTIL: durable(
        "language", "en", condition=when("in mails", "task:mail"), until="2026-03-06"
    ),
}


@pytest.mark.parametrize(
    ("step", "weaker"),
    [
        pytest.param(
            Step.THIS_TASK,
            durable(
                "language",
                "fr",
                scope={"project": "mall", "repository": "shop", "workspace": "web"},
                condition=when("in mails", "task:mail"),
                until="2026-03-06",
            ),
            id="a rule for now wins over any other",
        ),
        pytest.param(
            Step.MORE_SCOPE_NAMES,
            durable("language", "fr", condition=when("in mails", "task:mail"), until="2026-03-06"),
            id="a name wins over a condition and an end",
        ),
        pytest.param(
            Step.NARROWER_PLACE,
            durable(
                "language",
                "fr",
                scope={"repository": "shop"},
                condition=when("in mails", "task:mail"),
                until="2026-03-06",
            ),
            id="a workspace wins over a repository with a condition and an end",
        ),
        pytest.param(
            Step.CONDITION_APPLIES,
            durable("language", "fr", until="2026-03-06"),
            id="a condition that applies wins over an end",
        ),
        pytest.param(
            Step.RUNNING_UNTIL,
            durable("language", "fr", condition=when("to clients", "audience:client")),
            id="a running end wins over none",
        ),
    ],
)
@pytest.mark.parametrize("later", ["stronger", "weaker"])
def test_a_step_of_precedence_decides_whatever_is_said_later(
    step: Step, weaker: Label, later: str
) -> None:
    strong = EN[step]
    said = (weaker, strong) if later == "stronger" else (strong, weaker)
    ledger = told(*said, context=HERE)

    answer = ledger.in_force(EVERY_PLACE.model_copy(update={"conversation": "talk"}))

    assert [rule.value for rule in answer.winners] == ["en"]
    assert [(lost.rule.value, lost.step) for lost in answer.overridden] == [("fr", step)]
    assert answer.overridden[0].by == answer.winners[0].id


@pytest.mark.parametrize(
    ("narrower", "broader"),
    [
        pytest.param({"workspace": "web"}, {"repository": "shop"}, id="workspace over repository"),
        pytest.param({"repository": "shop"}, {"project": "mall"}, id="repository over project"),
        pytest.param({"workspace": "web"}, {"project": "mall"}, id="workspace over project"),
        pytest.param(
            {"project": "mall", "workspace": "web"},
            {"project": "mall", "repository": "shop"},
            id="the narrowest of two names counts",
        ),
    ],
)
def test_a_narrower_place_wins_over_as_many_names(
    narrower: dict[str, str], broader: dict[str, str]
) -> None:
    ledger = told(
        durable("length", "short", scope=narrower), durable("length", "long", scope=broader)
    )

    answer = ledger.in_force(EVERY_PLACE)

    assert [rule.value for rule in answer.winners] == ["short"]
    assert answer.overridden[0].step is Step.NARROWER_PLACE


def test_more_names_win_over_a_narrower_place() -> None:
    ledger = told(
        durable("length", "long", scope={"project": "mall", "repository": "shop"}),
        durable("length", "short", scope={"workspace": "web"}),
    )

    answer = ledger.in_force(EVERY_PLACE)

    assert [rule.value for rule in answer.winners] == ["long"]
    assert answer.overridden[0].step is Step.MORE_SCOPE_NAMES


@pytest.mark.parametrize("last", ["mail", "client"])
def test_of_two_conditions_that_apply_the_later_said_wins(last: str) -> None:
    mail = durable("language", "en", condition=when("in mails", "task:mail"))
    client = durable("language", "fr", condition=when("to clients", "audience:client"))
    ledger = told(*((client, mail) if last == "mail" else (mail, client)))

    answer = ledger.in_force(EVERY_PLACE)

    assert [rule.value for rule in answer.winners] == ["en" if last == "mail" else "fr"]
    assert answer.overridden[0].step is Step.LATER_SAID


def test_what_is_said_again_counts_as_said_then() -> None:
    ledger = told(
        durable("language", "en", condition=when("in mails", "task:mail")),
        durable("language", "fr", condition=when("to clients", "audience:client")),
        durable("language", "en", condition=when("in mails", "task:mail")),
    )

    answer = ledger.in_force(EVERY_PLACE)

    assert [rule.value for rule in answer.winners] == ["en"]


def test_a_rule_that_lost_only_to_a_loser_wins() -> None:
    ledger = told(
        durable("content", "!formula"),
        durable("content", "formula", scope={"repository": "shop"}),
        once("content", "!formula", span="conversation"),
        durable("content", "units"),
    )

    answer = ledger.in_force(EVERY_PLACE.model_copy(update={"conversation": "talk"}))

    assert winners(answer) == [
        "content/replies=units",
        "content/replies=!formula for this conversation",
        "content/replies=!formula",
    ]
    assert [shown(lost.rule) for lost in answer.overridden] == [
        "content/replies=formula @repository shop"
    ]


@pytest.mark.parametrize("seed", range(4))
def test_the_answer_does_not_depend_on_the_order_of_the_rules(seed: int) -> None:
    ledger = told(
        durable("language", "fr"),
        durable("language", "en", scope={"repository": "shop"}),
        durable("language", "de", scope={"workspace": "web"}),
        durable("language", "it", condition=when("in mails", "task:mail")),
        durable("content", "formula"),
    )
    rules = ledger.rules
    turned = [*rules[seed:], *rules[:seed]]

    answer = in_force(turned, context=EVERY_PLACE, as_of=NINE)

    assert answer == in_force(rules, context=EVERY_PLACE, as_of=NINE)
    assert {lost.by for lost in answer.overridden} == {answer.winners[0].id}


# --- Slots -------------------------------------------------------------------------


def test_in_a_slot_of_many_only_opposite_polarities_compete() -> None:
    ledger = told(
        durable("content", "formula"),
        durable("content", "units"),
        durable("content", "!formula", scope={"repository": "shop"}),
    )

    assert winners(ledger.in_force()) == ["content/replies=units", "content/replies=formula"]
    assert winners(ledger.in_force(EVERY_PLACE)) == [
        "content/replies=!formula @repository shop",
        "content/replies=units",
    ]


def test_a_narrower_target_holds_beside_replies() -> None:
    ledger = told(durable("language", "zh"), durable("language/code-comments", "en"))

    assert winners(ledger.in_force()) == ["language/replies=zh", "language/code-comments=en"]


def test_to_lift_a_rule_in_one_place_takes_it_out_there_and_forbids_nothing() -> None:
    ledger = told(
        durable("language", "es"), durable("language", "~es", scope={"repository": "fork"})
    )

    there = ledger.in_force(Context(conversation="fresh", repository="fork"))

    assert winners(ledger.in_force()) == ["language/replies=es"]
    assert winners(there) == ["language/replies=~es @repository fork"]
    assert [lost.rule.value for lost in there.overridden] == ["es"]


def test_rules_come_slot_by_slot_in_the_order_said_the_later_first() -> None:
    ledger = told(
        durable("content", "formula"),
        durable("language", "en"),
        durable("content", "units"),
    )

    assert winners(ledger.in_force()) == [
        "content/replies=units",
        "content/replies=formula",
        "language/replies=en",
    ]


# --- Conditions and exceptions -------------------------------------------------------

PROPOSALS = durable("detail", "deep", condition=when("in proposals", "task:proposal"))


@pytest.mark.parametrize(
    ("task_type", "held", "conditional", "lost"),
    [
        pytest.param("proposal", ["deep"], [], ["brief"], id="applies: it overrides the default"),
        pytest.param("chat", ["brief"], [], [], id="does not apply: the default alone"),
        pytest.param(None, ["brief"], ["deep"], [], id="unknown: beside the default"),
    ],
)
def test_only_a_condition_that_applies_overrides(
    task_type: str | None, held: list[str], conditional: list[str], lost: list[str]
) -> None:
    ledger = told(durable("detail", "brief"), PROPOSALS)

    answer = ledger.in_force(Context(conversation="fresh", task_type=task_type))

    assert [rule.value for rule in answer.winners] == held
    assert [rule.value for rule in answer.conditional] == conditional
    assert [each.rule.value for each in answer.overridden] == lost


def test_an_open_condition_loses_to_what_would_win_even_if_it_applied() -> None:
    ledger = told(PROPOSALS, once("detail", "brief", span="conversation"))

    answer = ledger.in_force(HERE)

    assert [rule.value for rule in answer.rules] == ["brief"]
    assert [(each.rule.value, each.step) for each in answer.overridden] == [
        ("deep", Step.THIS_TASK)
    ]


def test_a_condition_in_words_alone_is_delivered_with_its_words() -> None:
    ledger = told(durable("detail", "deep", condition={"words": "when I am tired"}))

    answer = ledger.in_force(Context(conversation="fresh", task_type="chat"))

    assert [shown(rule) for rule in answer.conditional] == ["detail/replies=deep ?when I am tired"]


def test_two_conditions_that_only_their_words_tell_apart_both_hold() -> None:
    ledger = Ledger()
    ledger.say(
        durable("tone", "formal", condition=when("in mails to clients", "task:mail")),
        durable("tone", "casual", condition=when("in mails to friends", "task:mail")),
    )

    answer = ledger.in_force(Context(conversation="fresh", task_type="mail"))

    assert sorted(rule.value for rule in answer.winners) == ["casual", "formal"]


@pytest.mark.parametrize(
    ("context", "held"),
    [
        pytest.param({"task_type": "report"}, [], id="an exception that applies takes it out"),
        pytest.param({"task_type": "chat"}, ["concise"], id="one that does not leaves it"),
        pytest.param({}, ["concise"], id="an open one leaves it"),
    ],
)
def test_an_exception_that_applies_takes_the_rule_out(
    context: dict[str, Any], held: list[str]
) -> None:
    ledger = told(durable("length", "concise", exception=when("in reports", "task:report")))

    answer = ledger.in_force(Context(conversation="fresh", **context))

    assert [rule.value for rule in answer.winners] == held


# --- Ends --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("as_of", "held"),
    [
        pytest.param(datetime(2026, 3, 6, 23, tzinfo=UTC), "en", id="on its last day"),
        pytest.param(datetime(2026, 3, 7, 0, tzinfo=UTC), "zh", id="on the day after"),
        pytest.param(
            datetime(2026, 3, 6, 23, tzinfo=timezone(timedelta(hours=-8))),
            "en",
            id="on its last day in a zone where it is still that day",
        ),
    ],
)
def test_a_temporary_rule_overrides_while_it_lasts(as_of: datetime, held: str) -> None:
    ledger = told(durable("language", "zh"), durable("language", "en", until="2026-03-06"))

    answer = ledger.in_force(as_of=as_of)

    assert [rule.value for rule in answer.winners] == [held]


def test_a_rule_until_an_event_ends_when_it_is_told_to_have_happened() -> None:
    ledger = told(durable("tone", "formal", until="the launch"))

    assert ledger.in_force().winners
    assert not ledger.in_force(events=["The Launch"]).winners


# --- For now -------------------------------------------------------------------------


def in_task(task: str | None, conversation: str = "talk") -> Context:
    return Context(conversation=conversation, task=task)


@pytest.mark.parametrize(
    ("context", "held", "only_for"),
    [
        pytest.param(in_task("t1"), ["en"], [], id="in the task it wins"),
        pytest.param(in_task("t2"), ["zh"], [], id="in another task it is gone"),
        pytest.param(in_task(None), ["zh"], ["en"], id="where no task is named it is for one only"),
        pytest.param(in_task("t1", "fresh"), ["zh"], [], id="in another conversation it is gone"),
        pytest.param(in_task(None, "fresh"), ["zh"], [], id="in a fresh session it is gone"),
    ],
)
def test_a_rule_for_a_task_holds_in_that_task(
    context: Context, held: list[str], only_for: list[str]
) -> None:
    ledger = told(durable("language", "zh"), once("language", "en"), context=in_task("t1"))

    answer = ledger.in_force(context)

    assert [rule.value for rule in answer.winners] == held
    assert [rule.value for rule in answer.only_for] == only_for


@pytest.mark.parametrize("task", [None, "t1"])
def test_without_a_task_id_a_rule_for_a_task_never_overrides(task: str | None) -> None:
    ledger = told(durable("language", "zh"), once("language", "en"))

    answer = ledger.in_force(in_task(task))

    assert [rule.value for rule in answer.winners] == ["zh"]
    assert [rule.value for rule in answer.only_for] == ["en"]
    assert answer.rules == (*answer.winners, *answer.conditional, *answer.only_for)


def test_a_rule_for_the_conversation_overrides_in_all_its_tasks() -> None:
    ledger = told(durable("language", "zh"), once("language", "en", span="conversation"))

    for task in (None, "t1", "t2"):
        answer = ledger.in_force(in_task(task))

        assert [rule.value for rule in answer.winners] == ["en"]
        assert answer.overridden[0].step is Step.THIS_TASK


def test_a_rule_for_now_said_outside_a_conversation_holds_nowhere() -> None:
    ledger = told(once("language", "en", span="conversation"), context=Context())

    assert not ledger.in_force(Context()).rules
    assert not ledger.in_force(HERE).rules


# --- What is never in force ------------------------------------------------------------


def test_a_proposal_is_listed_and_not_in_force() -> None:
    ledger = told(inferred("length", "concise"))

    answer = ledger.in_force()

    assert not answer.rules
    assert [rule.value for rule in answer.proposed] == ["concise"]


def test_an_unverified_fact_is_not_in_force() -> None:
    fact = durable("project_fact/ports", "8081", kind="fact")
    ledger = Ledger()
    ledger.say(fact)

    assert not ledger.in_force().rules

    ledger.say(fact, references=[Reference(commit="abc")])

    assert winners(ledger.in_force()) == ["project_fact/ports=8081"]


def test_the_answer_says_what_it_was_asked() -> None:
    answer = Ledger().in_force(ELSEWHERE, as_of=NINE)

    assert (answer.context, answer.as_of) == (ELSEWHERE, NINE)
    assert answer.rules == answer.proposed == answer.overridden == ()

"""Pairs that only the user or a model can settle: questions, and what an answer changes."""

import pytest
from ledgers import HERE, Ledger, durable, forget, id_of, inferred, once, when

from henceforth.schemas.context import Context
from henceforth.schemas.labels import Clarify, Label
from henceforth.schemas.ledger import LinkedBy, Relation, TurnEntry
from henceforth.schemas.plan import Ask, Row
from henceforth.schemas.rule import Provenance, State

SAME, REPLACES, BESIDE = Relation.SAME, Relation.REPLACES, Relation.BESIDE
MAILS = when("in mails", "task:mail")

FIRST = durable("workflow/deploys", "run tests before each deploy")
ALIKE = durable("workflow/deploys", "run unit tests before deploy")


def pair() -> tuple[Ledger, TurnEntry, TurnEntry]:
    ledger = Ledger()
    return ledger, ledger.say(FIRST), ledger.say(ALIKE)


# --- Which pairs are asked about ---


def test_a_pair_that_may_be_one_is_marked_and_asked_about() -> None:
    ledger, first, second = pair()

    assert ledger.rows(second) == [Row.ADD_VALUE, Row.UNSETTLED]
    assert ledger.rule(first).unsettled == (id_of(second),)
    assert ledger.rule(second).unsettled == (id_of(first),)
    asked = ledger.questions[0]
    assert (asked.ask, asked.turn, asked.candidates) == (
        Ask.UNSETTLED,
        second.turn,
        (id_of(first),),
    )
    assert {ledger.rule(each).state for each in (first, second)} == {State.ACTIVE}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            durable("content", "max three emoji"),
            durable("content", "max five emoji"),
            id="numbers",
        ),
        pytest.param(
            durable("workflow/unit-tests", "write tests first"),
            durable("workflow/tests", "tests first"),
            id="targets that share their words",
        ),
        pytest.param(
            durable("content", "!long intro"), durable("content", "!intro"), id="both to avoid"
        ),
        pytest.param(
            durable("content", "long intro", condition=MAILS),
            durable("content", "intro", condition=MAILS),
            id="under the same condition",
        ),
        pytest.param(
            durable("content", "one two three four five"),
            durable("content", "one two three six seven"),
            id="three words of five",
        ),
    ],
)
def test_candidates_share_most_of_the_shorter_words(one: Label, other: Label) -> None:
    ledger = Ledger()
    ledger.say(one)
    ledger.say(other)

    assert [question.ask for question in ledger.questions] == [Ask.UNSETTLED]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            durable("language", "zh"),
            durable("language/code-comments", "zh"),
            id="the same value of two targets",
        ),
        pytest.param(
            durable("tooling/package-manager", "pnpm"),
            durable("tooling/test-command", "pnpm test"),
            id="two targets of which one names the other",
        ),
        pytest.param(
            durable("workflow/branches", "one feature"),
            durable("workflow/schema-changes", "one feature"),
            id="two targets the registry knows",
        ),
        pytest.param(durable("content", "formula"), durable("content", "units"), id="other words"),
        pytest.param(
            durable("content", "tests first"), durable("content", "plan first"), id="half the words"
        ),
        pytest.param(
            durable("content", "long intro"), durable("content", "!intro"), id="other polarities"
        ),
        pytest.param(
            durable("content", "long intro"),
            durable("content", "intro", scope={"repository": "shop"}),
            id="other places",
        ),
        pytest.param(
            durable("content", "long intro"),
            durable("content", "intro", condition=MAILS),
            id="other conditions",
        ),
        pytest.param(
            durable("content", "long intro"), durable("format", "intro"), id="other dimensions"
        ),
        pytest.param(
            durable("length", "max 200 words"),
            durable("length", "max 300 words"),
            id="a slot of one: the new value replaces the old",
        ),
        pytest.param(
            durable("content", "✅"), durable("content", "❌"), id="values without a word in common"
        ),
        pytest.param(durable("content", "…"), durable("content", "formula"), id="no word at all"),
        pytest.param(durable("content", "long intro"), inferred("content", "intro"), id="a signal"),
        pytest.param(
            durable("content", "long intro"), once("content", "intro"), id="an order for now"
        ),
    ],
)
def test_pairs_that_obviously_differ_are_not_asked_about(one: Label, other: Label) -> None:
    ledger = Ledger()
    ledger.say(one)
    ledger.say(other)

    assert not ledger.questions
    assert not any(rule.unsettled for rule in ledger.rules)


def test_within_one_turn_no_pair_is_asked_about() -> None:
    ledger = Ledger()
    ledger.say(FIRST, ALIKE)

    assert not ledger.questions


def test_a_third_rule_is_asked_about_with_both() -> None:
    ledger, first, second = pair()
    third = ledger.say(durable("workflow/deploys", "run all tests before a deploy"))

    assert ledger.questions[-1].candidates == (id_of(first), id_of(second))
    assert ledger.rule(first).unsettled == (id_of(second), id_of(third))


@pytest.mark.parametrize("gone", [0, 1])
def test_the_question_is_closed_when_either_rule_is_gone(gone: int) -> None:
    ledger, *turns = pair()
    ledger.command("forget", id_of(turns[gone]))

    assert not ledger.questions


# --- What an answer changes ---


def test_the_same_is_evidence_for_the_one_rule() -> None:
    ledger, first, second = pair()
    ledger.link(second, id_of(first), SAME)

    assert ledger.rows(second) == [Row.LINK]
    assert ledger.lines() == ["workflow/deploys=run tests before each deploy"]
    assert [each.turn for each in ledger.rule(first).evidence] == [first.turn, second.turn]
    assert not ledger.questions


def test_replaces_takes_the_place() -> None:
    ledger, first, second = pair()
    ledger.link(second, id_of(first), REPLACES)

    assert ledger.rows(second) == [Row.LINK]
    assert ledger.lines() == ["workflow/deploys=run unit tests before deploy"]
    assert ledger.rule(first).superseded_by == id_of(second)
    assert not ledger.questions


def test_beside_leaves_both_and_asks_no_more() -> None:
    ledger, first, second = pair()
    ledger.link(second, id_of(first), BESIDE)

    assert ledger.rows(second) == [Row.ADD_VALUE]
    assert len(ledger.lines()) == 2
    assert not ledger.rule(first).unsettled
    assert not ledger.questions


def test_the_last_word_on_a_pair_counts() -> None:
    ledger, first, second = pair()
    for relation in (REPLACES, BESIDE, SAME):
        ledger.link(second, id_of(first), relation)

    assert ledger.rows(second) == [Row.LINK]
    assert ledger.lines() == ["workflow/deploys=run tests before each deploy"]


def test_what_replaces_inherits_what_is_unsaid() -> None:
    ledger = Ledger()
    first = ledger.say(
        durable(
            "content",
            "long intro",
            scope={"repository": "shop"},
            condition=MAILS,
            exception=when("to Ann", "audience:ann"),
        )
    )
    second = ledger.say(durable("content", "intro"))
    ledger.link(second, id_of(first), REPLACES)

    assert ledger.lines() == ["content/replies=intro @repository shop ?in mails except to Ann"]


def test_one_label_may_replace_several() -> None:
    ledger = Ledger()
    turns = [ledger.say(durable("content", value)) for value in ("formula", "units", "sources")]
    last = ledger.say(durable("content", "summary"))
    for turn in turns[:2]:
        ledger.link(last, id_of(turn), REPLACES)

    assert ledger.lines() == ["content/replies=sources", "content/replies=summary"]
    assert ledger.rule(last).supersedes == tuple(id_of(turn) for turn in turns[:2])


def test_what_was_linked_last_was_replaced_last() -> None:
    ledger = Ledger()
    one, other = (ledger.say(durable("content", value)) for value in ("formula", "units"))
    last = ledger.say(durable("content", "summary"))
    for turn in (one, other, one):
        ledger.link(last, id_of(turn), REPLACES)

    assert ledger.rule(last).supersedes == (id_of(other), id_of(one))


def test_one_label_may_be_the_same_as_several() -> None:
    ledger = Ledger()
    turns = [ledger.say(durable("content", value)) for value in ("formula", "units")]
    last = ledger.say(durable("content", "summary"))
    for turn in turns:
        ledger.link(last, id_of(turn), SAME)

    assert ledger.rows(last) == [Row.LINK, Row.LINK]
    assert [len(ledger.rule(turn).evidence) for turn in turns] == [2, 2]
    assert len(ledger.rules) == 2


def test_the_same_as_a_proposal_confirms_it() -> None:
    ledger = Ledger()
    first = ledger.say(inferred("length", "concise"))
    second = ledger.say(durable("length", "short"))
    ledger.link(second, id_of(first), SAME)

    rule = ledger.rule(first)
    assert (rule.state, rule.provenance) == (State.ACTIVE, Provenance.STATED)
    assert ledger.lines() == ["length/replies=concise"]


def test_a_link_to_a_rule_that_is_gone_by_then_says_nothing() -> None:
    ledger = Ledger()
    first = ledger.say(durable("content", "long intro"))
    ledger.command("forget", id_of(first))
    second = ledger.say(durable("content", "intro"))
    ledger.link(second, id_of(first), SAME)

    assert ledger.lines() == ["content/replies=intro"]


def test_a_link_of_one_label_is_not_one_of_another() -> None:
    ledger = Ledger()
    first = ledger.say(durable("content", "formula"))
    second = ledger.say(durable("tone", "warm"), durable("content", "summary"))
    ledger.link(second, id_of(first), REPLACES, label=1)

    assert ledger.lines() == ["content/replies=summary", "tone/replies=warm"]


def test_a_model_may_settle_a_pair_too() -> None:
    ledger, first, second = pair()
    ledger.link(second, id_of(first), SAME, by=LinkedBy.MODEL)

    assert ledger.rows(second) == [Row.LINK]


# --- A label that revises, and links ---


def test_a_link_beside_one_rule_leaves_what_the_label_revises() -> None:
    ledger = Ledger()
    intro = ledger.say(durable("content", "long intro"))
    units = ledger.say(durable("content", "units"))
    last = ledger.say(durable("content", "intro", revises="change", replaces="units"))
    ledger.link(last, id_of(intro), BESIDE)

    assert ledger.lines() == ["content/replies=intro", "content/replies=long intro"]
    assert ledger.rule(units).superseded_by == id_of(last)


def test_a_link_that_replaces_adds_to_what_the_label_revises() -> None:
    ledger = Ledger()
    intro = ledger.say(durable("content", "long intro"))
    ledger.say(durable("content", "units"))
    last = ledger.say(durable("content", "intro", revises="change", replaces="units"))
    ledger.link(last, id_of(intro), REPLACES)

    assert ledger.lines() == ["content/replies=intro"]


@pytest.mark.parametrize(
    ("chosen", "left"),
    [
        pytest.param([0], ["content/replies=sources", "content/replies=units"], id="one"),
        pytest.param([0, 1], ["content/replies=sources"], id="both"),
        pytest.param(
            [],
            ["content/replies=formula", "content/replies=sources", "content/replies=units"],
            id="none",
        ),
    ],
)
def test_the_answer_says_which_value_goes(chosen: list[int], left: list[str]) -> None:
    ledger = Ledger()
    turns = [ledger.say(durable("content", value)) for value in ("formula", "units")]
    last = ledger.say(durable("content", "sources", revises="change"))
    assert [question.ask for question in ledger.questions] == [Ask.WHICH_VALUE]
    for place, turn in enumerate(turns):
        ledger.link(last, id_of(turn), REPLACES if place in chosen else BESIDE)

    assert ledger.lines() == left
    assert not ledger.questions


# --- A forget, and links ---


@pytest.mark.parametrize(
    ("chosen", "row", "left"),
    [
        pytest.param([0], Row.FORGET, ["content/replies=units"], id="one"),
        pytest.param([0, 1], Row.FORGET, [], id="both"),
        pytest.param(
            [], Row.FORGET_NOTHING, ["content/replies=formula", "content/replies=units"], id="none"
        ),
    ],
)
def test_the_answer_says_which_rule_goes(chosen: list[int], row: Row, left: list[str]) -> None:
    ledger = Ledger()
    turns = [ledger.say(durable("content", value)) for value in ("formula", "units")]
    last = ledger.say(forget("content"))
    assert [question.ask for question in ledger.questions] == [Ask.WHICH_RULE]
    for place, turn in enumerate(turns):
        ledger.link(last, id_of(turn), SAME if place in chosen else BESIDE)

    assert ledger.rows(last) == [row]
    assert ledger.lines() == left
    assert not ledger.questions


# --- A turn to clarify ---


def test_a_turn_to_clarify_is_asked_about_and_writes_nothing() -> None:
    ledger = Ledger()
    turn = ledger.say(clarify=Clarify(question="For this mail, or always?"))

    assert ledger.rows(turn) == []
    assert ledger.rules == ()
    asked = ledger.questions[0]
    assert (asked.ask, asked.turn, asked.label, asked.words) == (
        Ask.CLARIFY,
        turn.turn,
        0,
        "For this mail, or always?",
    )


def test_links_before_an_edit_are_void_and_links_after_it_count() -> None:
    ledger, first, second = pair()
    ledger.link(second, id_of(first), SAME)
    edited = ledger.say(ALIKE, id=second.turn, at=second.said_at, context=HERE)

    assert len(ledger.lines()) == 2
    assert len(ledger.questions) == 1

    ledger.link(edited, id_of(first), SAME)

    assert len(ledger.lines()) == 1


def test_a_link_on_another_turn_says_nothing_here() -> None:
    ledger, first, second = pair()
    third = ledger.say(durable("tone", "warm"), context=Context(conversation="other"))
    ledger.link(third, id_of(second), REPLACES)
    ledger.link(third, id_of(first), BESIDE)

    assert ledger.lines() == [
        "tone/replies=warm",
        "workflow/deploys=run tests before each deploy",
    ]

"""The rows of the reconcile table for an inferred label: signals, never a word of the user's."""

from typing import Any

import pytest
from ledgers import HERE, Ledger, durable, forget, id_of, inferred, once, retire, when

from henceforth.schemas.context import Context
from henceforth.schemas.labels import Label
from henceforth.schemas.ledger import Relation
from henceforth.schemas.plan import Row
from henceforth.schemas.rule import Provenance, State

CONCISE = inferred("length", "concise")
SHOP = Context(conversation="talk", repository="shop")
MAILS = when("in mails", "task:mail")


# --- Signals ---


def test_one_signal_proposes_and_two_put_it_in_force() -> None:
    ledger = Ledger()
    first = ledger.say(CONCISE, reacts_to="m1")

    assert ledger.rows(first) == [Row.PROPOSE]
    assert ledger.rule(first).state is State.PROPOSED
    assert ledger.rule(first).provenance is Provenance.INFERRED

    second = ledger.say(CONCISE, reacts_to="m2")

    assert ledger.rows(second) == [Row.IN_FORCE_BY_SIGNALS]
    assert ledger.rule(first).state is State.ACTIVE
    assert ledger.rule(first).provenance is Provenance.INFERRED
    assert [each.turn for each in ledger.rule(first).evidence] == [first.turn, second.turn]


def test_two_reactions_to_the_same_message_count_once() -> None:
    ledger = Ledger()
    first = ledger.say(CONCISE, reacts_to="m1")
    second = ledger.say(CONCISE, reacts_to="m1")

    assert ledger.rows(second) == [Row.SIGNAL]
    assert ledger.rule(first).state is State.PROPOSED


def test_without_a_message_to_react_to_each_turn_counts() -> None:
    ledger = Ledger()
    first = ledger.say(CONCISE)
    ledger.say(CONCISE)

    assert ledger.rule(first).state is State.ACTIVE


@pytest.mark.parametrize(("signals", "state"), [(1, State.ACTIVE), (3, State.PROPOSED)])
def test_how_many_signals_it_takes_is_set(signals: int, state: State) -> None:
    ledger = Ledger(signals=signals)
    first = ledger.say(CONCISE, reacts_to="m1")
    for message in "m2", "m3":
        assert ledger.rule(first).state is state
        ledger.say(CONCISE, reacts_to=message)

    assert ledger.rule(first).state is State.ACTIVE


def test_once_in_force_a_further_signal_is_evidence() -> None:
    ledger = Ledger()
    first, _ = ledger.say(CONCISE, reacts_to="m1"), ledger.say(CONCISE, reacts_to="m2")
    third = ledger.say(CONCISE, reacts_to="m3")

    assert ledger.rows(third) == [Row.EVIDENCE_ONLY]
    assert len(ledger.rule(first).evidence) == 3


# --- Orders for one task ---


def test_an_equal_order_before_counts_as_a_signal() -> None:
    ledger = Ledger()
    ledger.say(once("length", "concise"), reacts_to="m1")
    second = ledger.say(CONCISE, reacts_to="m2")

    assert ledger.rows(second) == [Row.IN_FORCE_BY_SIGNALS]
    assert ledger.rule(second).state is State.ACTIVE
    assert len(ledger.rule(second).evidence) == 2


def test_an_equal_order_after_counts_as_a_signal() -> None:
    ledger = Ledger()
    first = ledger.say(CONCISE, reacts_to="m1")
    second = ledger.say(once("length", "concise"), reacts_to="m2")

    assert ledger.rows(second) == [Row.APPLY_ONCE, Row.IN_FORCE_BY_SIGNALS]
    assert ledger.rule(first).state is State.ACTIVE


def test_an_order_may_be_one_signal_of_three() -> None:
    ledger = Ledger(signals=3)
    first = ledger.say(CONCISE, reacts_to="m1")
    second = ledger.say(once("length", "concise"), reacts_to="m2")

    assert ledger.rows(second) == [Row.APPLY_ONCE, Row.SIGNAL]
    assert ledger.rule(first).state is State.PROPOSED


def test_an_order_under_the_same_condition_is_a_signal() -> None:
    ledger = Ledger()
    ledger.say(once("length", "concise", condition=MAILS), reacts_to="m1")
    last = ledger.say(inferred("length", "concise", condition=MAILS), reacts_to="m2")

    assert ledger.rows(last) == [Row.IN_FORCE_BY_SIGNALS]


def test_an_order_that_a_link_sets_beside_is_no_signal() -> None:
    ledger = Ledger()
    order = ledger.say(once("length", "long"), reacts_to="m1")
    last = ledger.say(CONCISE, reacts_to="m2")
    ledger.link(last, id_of(order), Relation.BESIDE)
    ledger.link(last, id_of(last), Relation.BESIDE)

    assert ledger.rows(last) == [Row.PROPOSE]
    assert len(ledger.rule(last).evidence) == 1


def test_orders_alone_never_propose() -> None:
    ledger = Ledger()
    for message in "m1", "m2", "m3":
        ledger.say(once("length", "concise"), reacts_to=message)

    assert not [rule for rule in ledger.rules if rule.bound is None]


def test_an_order_and_a_signal_of_one_turn_are_one_signal() -> None:
    ledger = Ledger()
    turn = ledger.say(once("length", "concise"), CONCISE, reacts_to="m1")

    assert ledger.rows(turn) == [Row.APPLY_ONCE, Row.PROPOSE]
    assert ledger.rule(turn, 1).state is State.PROPOSED


@pytest.mark.parametrize(
    "taken_back",
    [
        pytest.param(forget("length", "concise"), id="taken back"),
        pytest.param(once("length", "long"), id="put otherwise"),
    ],
)
def test_an_order_that_did_not_stand_is_no_signal(taken_back: Label) -> None:
    ledger = Ledger()
    ledger.say(once("length", "concise"), reacts_to="m1")
    ledger.say(taken_back, reacts_to="m2")
    last = ledger.say(CONCISE, reacts_to="m3")

    assert ledger.rows(last) == [Row.PROPOSE]


def test_an_order_whose_task_is_over_is_a_signal() -> None:
    ledger = Ledger()
    ledger.say(once("length", "concise"), reacts_to="m1")
    ledger.end()
    last = ledger.say(CONCISE, reacts_to="m2")

    assert ledger.rows(last) == [Row.IN_FORCE_BY_SIGNALS]


@pytest.mark.parametrize(
    "order",
    [
        pytest.param(once("length", "long"), id="another value"),
        pytest.param(once("length", "concise", condition=MAILS), id="another condition"),
    ],
)
def test_an_order_that_is_not_equal_is_no_signal(order: Label) -> None:
    before, after = Ledger(), Ledger()
    before.say(order, reacts_to="m1")
    last = before.say(CONCISE, reacts_to="m2")
    first = after.say(CONCISE, reacts_to="m1")
    after.say(order, reacts_to="m2")

    assert before.rows(last) == [Row.PROPOSE]
    assert len(after.rule(first).evidence) == 1


# --- Against a proposal ---


@pytest.mark.parametrize("value", ["long", "!concise"])
@pytest.mark.parametrize("signals", [1, 2])
def test_a_contrary_signal_drops_it_proposed_or_in_force(value: str, signals: int) -> None:
    ledger = Ledger(signals=signals)
    first = ledger.say(CONCISE)
    second = ledger.say(inferred("length", value))

    assert ledger.rows(second)[0] == Row.DROP_PROPOSAL
    assert ledger.rule(first).state is State.EXPIRED
    assert ledger.rule(second).state in {State.PROPOSED, State.ACTIVE}


@pytest.mark.parametrize(
    ("other", "context"),
    [
        pytest.param({"condition": MAILS}, HERE, id="under a condition"),
        pytest.param({"scope": {"repository": "shop"}}, HERE, id="in a place"),
    ],
)
def test_signals_for_other_places_are_counted_apart(
    other: dict[str, Any], context: Context
) -> None:
    ledger = Ledger()
    ledger.say(inferred("length", "concise", **other), reacts_to="m1", context=context)
    second = ledger.say(CONCISE, reacts_to="m2", context=context)

    assert ledger.rows(second) == [Row.PROPOSE]
    assert len(ledger.lines(State.PROPOSED)) == 2


@pytest.mark.parametrize(
    ("first", "second", "row"),
    [
        pytest.param("shop", "shop", Row.IN_FORCE_BY_SIGNALS, id="the same place"),
        pytest.param("shop", "api", Row.PROPOSE, id="another place"),
    ],
)
def test_signals_for_a_place_they_name_count_there(first: str, second: str, row: Row) -> None:
    ledger = Ledger()
    ledger.say(inferred("length", "concise", scope={"repository": first}), context=HERE)
    last = ledger.say(inferred("length", "concise", scope={"repository": second}), context=SHOP)

    assert ledger.rows(last) == [row]


def test_a_signal_without_a_place_counts_for_a_proposal_of_the_place_it_is_in() -> None:
    ledger = Ledger()
    first = ledger.say(inferred("length", "concise", scope={"repository": "shop"}))
    ledger.say(CONCISE, context=SHOP)

    assert ledger.rule(first).state is State.ACTIVE


# --- Against the user's own word ---


def test_an_equal_rule_takes_it_as_evidence() -> None:
    ledger = Ledger()
    rule = ledger.say(durable("length", "concise"))
    signal = ledger.say(CONCISE)

    assert ledger.rows(signal) == [Row.EVIDENCE_ONLY]
    assert len(ledger.rule(rule).evidence) == 2
    assert len(ledger.rules) == 1


@pytest.mark.parametrize("value", ["long", "!concise"])
def test_a_contrary_rule_stands_however_many_signals(value: str) -> None:
    ledger = Ledger()
    rule = ledger.say(durable("length", value))
    before = ledger.rules
    for message in "m1", "m2", "m3":
        signal = ledger.say(CONCISE, reacts_to=message)
        assert ledger.rows(signal) == [Row.EVIDENCE_ONLY]

    assert ledger.rules == before
    assert ledger.rule(rule).state is State.ACTIVE


@pytest.mark.parametrize(
    ("rule", "context"),
    [
        pytest.param(
            durable("length", "long", scope={"repository": "shop"}), HERE, id="of another place"
        ),
        pytest.param(
            durable("length", "long", condition=MAILS),
            Context(conversation="talk", task_type="chat"),
            id="under a condition that does not apply",
        ),
        pytest.param(durable("tone", "warm"), HERE, id="of another slot"),
        pytest.param(durable("length", "!bullet"), HERE, id="that says nothing on it"),
    ],
)
def test_a_rule_that_is_not_there_does_not_count(rule: Label, context: Context) -> None:
    ledger = Ledger()
    ledger.say(rule)
    signal = ledger.say(CONCISE, context=context)

    assert ledger.rows(signal) == [Row.PROPOSE]


@pytest.mark.parametrize(
    "context",
    [
        pytest.param(HERE, id="which may apply"),
        pytest.param(Context(conversation="talk", task_type="mail"), id="which applies"),
    ],
)
def test_a_rule_under_a_condition_counts(context: Context) -> None:
    ledger = Ledger()
    ledger.say(durable("length", "long", condition=MAILS))
    signal = ledger.say(CONCISE, context=context)

    assert ledger.rows(signal) == [Row.EVIDENCE_ONLY]


def test_an_inferred_rule_in_force_is_not_the_users_word() -> None:
    ledger = Ledger()
    ledger.say(CONCISE, reacts_to="m1")
    ledger.say(CONCISE, reacts_to="m2")
    long = ledger.say(inferred("length", "long"), reacts_to="m3")

    assert ledger.rows(long) == [Row.DROP_PROPOSAL, Row.PROPOSE]


def test_the_users_word_replaces_an_inferred_rule_in_force() -> None:
    ledger = Ledger()
    ledger.say(CONCISE, reacts_to="m1")
    ledger.say(CONCISE, reacts_to="m2")
    ledger.say(durable("length", "long"))

    assert ledger.lines() == ["length/replies=long"]


# --- Never again ---


@pytest.mark.parametrize("taken_back", [forget("length", "concise"), retire("length", "concise")])
@pytest.mark.parametrize("first", [durable("length", "concise"), CONCISE])
def test_what_was_taken_back_is_never_proposed_again(first: Label, taken_back: Label) -> None:
    ledger = Ledger()
    ledger.say(first)
    ledger.say(taken_back)
    for message in "m1", "m2":
        signal = ledger.say(CONCISE, reacts_to=message)
        assert ledger.rows(signal) == [Row.NEVER_AGAIN]

    assert not ledger.lines(State.ACTIVE, State.PROPOSED)


@pytest.mark.parametrize("value", ["long", "!concise"])
def test_something_else_may_be_proposed_after_a_forget(value: str) -> None:
    ledger = Ledger()
    ledger.say(durable("length", "concise"))
    ledger.say(forget("length", "concise"))
    signal = ledger.say(inferred("length", value))

    assert ledger.rows(signal) == [Row.PROPOSE]


def test_the_same_value_of_another_slot_may_be_proposed() -> None:
    ledger = Ledger()
    ledger.say(durable("format/tables", "off"))
    ledger.say(forget("format/tables", "off"))
    signal = ledger.say(inferred("format/emoji", "off"))

    assert ledger.rows(signal) == [Row.PROPOSE]


def test_an_order_that_was_taken_back_is_no_rule_taken_back() -> None:
    ledger = Ledger()
    ledger.say(once("length", "concise"))
    ledger.say(forget("length", "concise"))
    signal = ledger.say(CONCISE)

    assert ledger.rows(signal) == [Row.PROPOSE]


def test_a_rule_that_was_only_replaced_may_be_proposed_again() -> None:
    ledger = Ledger()
    ledger.say(durable("length", "concise"))
    ledger.say(durable("length", "long"))
    ledger.say(forget("length", "long"))
    signal = ledger.say(CONCISE)

    assert ledger.rows(signal) == [Row.PROPOSE]


# --- Commands ---


def test_the_user_confirms_a_proposal_by_its_id() -> None:
    ledger = Ledger()
    turn = ledger.say(CONCISE)
    ledger.command("confirm", ledger.rule(turn).id)

    rule = ledger.rule(turn)
    assert (rule.state, rule.provenance) == (State.ACTIVE, Provenance.STATED)
    assert [change.row for change in ledger.fold().plans[-1].changes] == [Row.CONFIRM]


def test_a_forgotten_rule_cannot_be_confirmed() -> None:
    ledger = Ledger()
    turn = ledger.say(CONCISE)
    ledger.command("forget", ledger.rule(turn).id)
    ledger.command("confirm", ledger.rule(turn).id)

    assert ledger.rule(turn).state is State.FORGOTTEN
    assert ledger.fold().plans[-1].changes == ()


def test_a_forget_by_id_takes_the_rule_and_is_told() -> None:
    ledger = Ledger()
    turn = ledger.say(durable("length", "concise"), durable("tone", "warm"))
    ledger.command("forget", ledger.rule(turn).id)

    assert ledger.lines() == ["tone/replies=warm"]
    assert ledger.rule(turn).ended_at == ledger.now
    assert [change.row for change in ledger.fold().plans[-1].changes] == [Row.FORGET]

    ledger.command("forget", ledger.rule(turn).id)

    assert [change.row for change in ledger.fold().plans[-1].changes] == [Row.FORGET_NOTHING]


# --- Events ---


def test_an_event_ends_the_rules_that_wait_for_it() -> None:
    ledger = Ledger()
    waiting = ledger.say(durable("tone", "formal", until="the launch"))
    other = ledger.say(durable("length", "concise", until="the review"))
    day = ledger.say(durable("language", "en", until="2026-03-06"))
    ledger.event("The launch!")

    assert ledger.rule(waiting).state is State.EXPIRED
    assert ledger.rule(waiting).ended_at == ledger.now
    assert {ledger.rule(each).state for each in (other, day)} == {State.ACTIVE}
    assert [change.row for change in ledger.fold().plans[-1].changes] == [Row.EXPIRE]


def test_an_event_nobody_waits_for_changes_nothing() -> None:
    ledger = Ledger()
    ledger.say(durable("tone", "formal"))
    ledger.event("the launch")

    assert ledger.fold().plans[-1].changes == ()

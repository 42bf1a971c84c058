"""Text goes, and the ledger still folds to the same rules."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import LAWS, ledgers
from ledgers import HERE, REGISTRY, Ledger, durable, forget, id_of, inferred, once, retire, when

from henceforth.pipeline.core.conflict import is_redacted
from henceforth.pipeline.core.fold import fold
from henceforth.pipeline.core.redaction import is_due
from henceforth.pipeline.keeper import Keeper
from henceforth.pipeline.stores.memory import MemoryStore
from henceforth.schemas.context import Context
from henceforth.schemas.ids import RuleId, subject_id
from henceforth.schemas.labels import Clarify, Label
from henceforth.schemas.ledger import TurnEntry
from henceforth.schemas.plan import Row
from henceforth.schemas.rule import Rule, State

ANN = subject_id("ann")
LATER = timedelta(days=30)
SHOP = {"repository": "shop"}
IN_SHOP = Context(conversation="talk", repository="shop")
MAILS = when("in mails to my ex", "task:mail")


class Kept:
    """A ledger in a store, whose text can be redacted."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self.store = ledger, MemoryStore()
        self.keeper = Keeper(self.store, REGISTRY)
        for entry in ledger.entries:
            self.keeper.keep(ANN, entry)

    def redact(self) -> int:
        now = self.ledger.now
        return self.keeper.redact_due(ANN, before=now, now=now + LATER)

    def erase(self, rule: RuleId) -> int:
        return self.keeper.erase(ANN, rule, now=self.ledger.now + LATER)

    @property
    def rules(self) -> dict[RuleId, Rule]:
        return {rule.id: rule for rule in self.store.read(ANN).rules}

    @property
    def folded(self) -> dict[RuleId, Rule]:
        entries = [row.entry for row in self.store.ledger(ANN)]
        return {rule.id: rule for rule in fold(entries, registry=REGISTRY).rules}

    @property
    def text(self) -> str:
        """All that is kept, as it is stored."""
        rows = (row.model_dump_json() for row in self.store.ledger(ANN))
        return "\n".join([*rows, self.store.read(ANN).model_dump_json()])


def secret(intent: Any, slot: str, value: str, word: str, **fields: Any) -> Label:
    """A label whose statement and quote hold a word that is found nowhere else."""
    return intent(slot, value, statement=f"{word}, stated", quote=f"{word}, said", **fields)


# --- What goes --------------------------------------------------------------------------


def forgotten() -> tuple[Ledger, TurnEntry]:
    ledger = Ledger()
    turn = ledger.say(
        secret(
            durable,
            "content/recommendations",
            "vegetarian",
            "tofu",
            condition=MAILS,
            exception=when("on Sundays at mum's"),
            until="the wedding",
        ),
        secret(durable, "language", "zh", "chinese"),
    )
    ledger.say(secret(durable, "content/recommendations", "vegetarian", "seitan", condition=MAILS))
    ledger.say(secret(forget, "content/recommendations", "vegetarian", "tempeh", condition=MAILS))
    return ledger, turn


def test_no_word_of_a_forgotten_rule_is_left() -> None:
    ledger, turn = forgotten()
    kept = Kept(ledger)
    words = ["tofu", "seitan", "tempeh", "vegetarian", "my ex", "mum", "wedding", "task:mail"]
    assert all(word in kept.text for word in words)

    assert kept.redact() > 0

    assert not [word for word in words if word in kept.text]
    assert "chinese" in kept.text
    rule = kept.rules[id_of(turn)]
    assert is_redacted(rule.value)
    assert (rule.state, rule.statement, rule.slot) == (
        State.FORGOTTEN,
        "",
        "content/recommendations",
    )


def test_the_fold_still_gives_the_same_rules() -> None:
    ledger, turn = forgotten()
    kept = Kept(ledger)
    before = kept.rules

    kept.redact()

    assert kept.folded == kept.rules
    assert {id: rule.state for id, rule in kept.rules.items()} == {
        id: rule.state for id, rule in before.items()
    }
    assert kept.rules[id_of(turn, 1)] == before[id_of(turn, 1)]


def test_twice_redacted_is_once() -> None:
    ledger, _ = forgotten()
    kept = Kept(ledger)
    kept.redact()
    before = kept.store.ledger(ANN)

    assert kept.redact() == 0
    assert kept.store.ledger(ANN) == before


def test_within_the_undo_window_nothing_goes() -> None:
    ledger, _ = forgotten()
    kept = Kept(ledger)
    before = kept.store.ledger(ANN)
    minute = timedelta(minutes=1)

    assert kept.keeper.redact_due(ANN, before=ledger.now - minute, now=ledger.now) == 0
    assert kept.store.ledger(ANN) == before


@pytest.mark.parametrize(
    ("label", "is_gone"),
    [
        pytest.param(durable("language", "en", revises="correction"), True, id="put right"),
        pytest.param(durable("language", "en", revises="change"), False, id="changed"),
        pytest.param(durable("language", "en"), False, id="replaced"),
        pytest.param(forget("language", "zh"), True, id="forgotten"),
        pytest.param(retire("language", "zh"), False, id="retired"),
        pytest.param(once("language", "en"), False, id="still there"),
    ],
)
def test_what_was_forgotten_or_put_right_goes(label: Label, is_gone: bool) -> None:
    ledger = Ledger()
    turn = ledger.say(durable("language", "zh"))
    ledger.say(label)
    kept = Kept(ledger)
    rule = kept.rules[id_of(turn)]

    assert is_due(rule, before=ledger.now) is is_gone
    assert not is_due(rule, before=rule.recorded_at)
    kept.redact()
    assert is_redacted(kept.rules[id_of(turn)].value) is is_gone


def test_what_a_forgotten_rule_only_repeated_goes_with_it() -> None:
    ledger = Ledger()
    first = ledger.say(secret(durable, "language", "en", "tea", until="2026-03-06"))
    second = ledger.say(secret(durable, "language", "en", "milk", until="2026-03-09"))
    ledger.say(forget("language", "en"))
    kept = Kept(ledger)

    kept.redact()

    assert "tea" not in kept.text
    assert "milk" not in kept.text
    assert [kept.rules[id_of(turn)].state for turn in (first, second)] == [
        State.SUPERSEDED,
        State.FORGOTTEN,
    ]


def test_what_a_forgotten_rule_had_replaced_stays_for_the_way_back() -> None:
    ledger = Ledger()
    first = ledger.say(secret(durable, "language", "zh", "tea"))
    ledger.say(secret(durable, "language", "en", "milk"))
    ledger.say(forget("language", "en"))
    kept = Kept(ledger)
    before = kept.rules[id_of(first)]

    kept.redact()

    assert kept.rules[id_of(first)] == before
    assert "milk" not in kept.text


def test_what_is_redacted_does_not_come_back() -> None:
    ledger = Ledger()
    first = ledger.say(durable("language", "zh"))
    ledger.say(durable("language", "en", revises="correction"))
    kept = Kept(ledger)
    kept.redact()

    back = ledger.say(forget("language", "en", back=True))
    done = kept.keeper.keep(ANN, back)

    assert [change.row for change in done.plan.changes] == [Row.FORGET]
    assert kept.rules[id_of(first)].state is State.SUPERSEDED


# --- Where else the words stand ------------------------------------------------------------


def test_a_correction_no_longer_says_what_it_put_right() -> None:
    ledger = Ledger()
    ledger.say(secret(durable, "code_style/indentation", "tabs", "jumpy", condition=MAILS))
    second = ledger.say(
        durable(
            "code_style/indentation",
            "spaces",
            revises="correction",
            replaces="tabs",
            statement="Indent with spaces",
            quote=["No, I meant spaces, not tabs", "indent with spaces"],
        )
    )
    kept = Kept(ledger)
    before = kept.rules[id_of(second)]
    assert before.condition is not None

    kept.redact()

    assert "tabs" not in kept.text
    assert "jumpy" not in kept.text
    after = kept.rules[id_of(second)]
    assert after.evidence[0].quote == ("indent with spaces",)
    assert after == before.model_copy(update={"evidence": after.evidence})


def test_a_quote_that_two_labels_share_goes_from_both() -> None:
    ledger = Ledger()
    sentence = "Chinese, and no pork please"
    turn = ledger.say(
        durable("language", "zh", quote=[sentence, "Chinese"]),
        durable("content", "no-pork", quote=["no pork"]),
    )
    ledger.say(forget("content", "no-pork"))
    kept = Kept(ledger)

    kept.redact()

    assert "pork" not in kept.text
    assert kept.rules[id_of(turn)].evidence[0].quote == ("Chinese",)
    assert kept.rules[id_of(turn)].state is State.ACTIVE


def test_a_forget_that_found_nothing_keeps_no_words() -> None:
    ledger = Ledger()
    ledger.say(secret(forget, "content", "no-pork", "halal"))
    ledger.say(durable("language", "zh"))
    ledger.say(forget("language", "zh"))
    kept = Kept(ledger)

    kept.redact()

    assert "halal" not in kept.text
    assert "no-pork" not in kept.text


def test_an_open_question_about_a_rule_that_went_goes_with_it() -> None:
    ledger = Ledger()
    first = ledger.say(durable("content", "formula"))
    ledger.say(durable("content", "units"))
    ledger.say(secret(forget, "content", "any", "whichever"))
    ledger.command("forget", id_of(first))
    kept = Kept(ledger)
    assert len(kept.store.read(ANN).questions) == 1

    kept.redact()

    assert not kept.store.read(ANN).questions
    assert "whichever" not in kept.text
    assert kept.ledger.lines() == ["content/replies=units"]
    assert kept.folded == kept.rules


def test_a_signal_for_a_forgotten_rule_keeps_no_words() -> None:
    ledger = Ledger()
    ledger.say(durable("content", "no-pork"))
    ledger.say(forget("content", "no-pork"))
    ledger.say(secret(inferred, "content", "no-pork", "halal"))
    kept = Kept(ledger)

    kept.redact()

    assert "halal" not in kept.text
    assert "no-pork" not in kept.text
    assert kept.folded == kept.rules
    assert len(kept.rules) == 1


@pytest.mark.parametrize("how", ["undone", "edited", "clarified"])
def test_a_turn_that_counts_no_longer_keeps_no_words(how: str) -> None:
    ledger = Ledger()
    if how == "clarified":
        asked = Clarify(question="Never pork, or not now?", label=durable("content", "pork"))
        turn = ledger.say(clarify=asked)
    else:
        turn = ledger.say(secret(durable, "content", "pork", "pork"))
    if how == "undone":
        ledger.undo(turn)
    else:
        ledger.say(id=turn.turn, at=turn.said_at)
    ledger.now += timedelta(hours=1)
    kept = Kept(ledger)
    assert "pork" in kept.text

    assert kept.redact() > 0

    assert "pork" not in kept.text
    assert kept.redact() == 0


def test_the_order_that_counted_as_a_signal_goes_with_the_rule() -> None:
    ledger = Ledger()
    order = ledger.say(secret(once, "content", "no-pork", "today"), reacts_to="m1")
    signal = ledger.say(secret(inferred, "content", "no-pork", "again"), reacts_to="m2")
    ledger.command("forget", id_of(signal))
    kept = Kept(ledger)
    assert kept.rules[id_of(signal)].state is State.FORGOTTEN

    kept.redact()

    assert not [word for word in ("today", "again", "no-pork") if word in kept.text]
    assert kept.folded == kept.rules
    assert not ledger.in_force(HERE).conditional
    assert kept.rules[id_of(order)].state is State.ACTIVE


# --- What the words had decided -----------------------------------------------------------


def histories() -> Sequence[Any]:
    """Ledgers whose later turns found what they meant by words, and what stays as it was."""
    both = [
        durable("content", "formula", statement="Show the formula"),
        durable("content", "units", statement="Show the units"),
    ]
    long = durable("length", "long", scope=SHOP, exception=MAILS, condition=when("at night"))
    return [
        pytest.param(
            [*both, forget("content", "any", reach="dimension")],
            0,
            id="one of several that one forget took",
        ),
        pytest.param(
            [*both, retire("other/all", "any", reach="everything")],
            0,
            id="one of several that one retire took",
        ),
        pytest.param(
            [long, durable("length", "short", revises="correction")],
            0,
            id="the rule that another inherited from",
        ),
        pytest.param(
            [*both, durable("content", "sources", revises="change", replaces="the formula")],
            0,
            id="the rule that another replaced by its words",
        ),
        pytest.param(
            [both[0], durable("content", "!formula")],
            0,
            id="the rule whose opposite replaced it",
        ),
        pytest.param(
            [both[0], durable("content", "!formula"), forget("content", "!formula", back=True)],
            1,
            id="the rule that gave way to the one before it",
        ),
        pytest.param(
            [
                durable("length", "long", until="2026-03-06"),
                durable("length", "long", until="2026-03-09"),
            ],
            0,
            id="the rule whose end was moved",
        ),
        pytest.param(
            [durable("length", "long"), durable("length", "short"), durable("length", "long")],
            1,
            id="the rule between two others",
        ),
        pytest.param(
            [inferred("length", "long"), durable("length", "long"), forget("length", "long")],
            0,
            id="a proposal that was confirmed and forgotten",
        ),
        pytest.param(
            [durable("length", "!long"), durable("length", "short"), inferred("length", "long")],
            0,
            id="a rule that kept a signal from being one",
        ),
        pytest.param(
            [
                durable("length", "long", condition=when("at night")),
                durable("length", "short", condition=when("by day")),
                forget("length", "long", condition=when("at night")),
                forget("length", "short", condition=when("by day")),
            ],
            0,
            id="one of two under conditions of their own",
        ),
        pytest.param(
            [inferred("length", "long"), once("length", "long"), durable("length", "long")],
            1,
            id="an order that counted as a signal",
        ),
        pytest.param(
            [
                durable("length", "long"),
                forget("length", "long"),
                inferred("length", "!long"),
                inferred("length", "long"),
            ],
            2,
            id="a proposal that a signal spoke against",
        ),
        pytest.param(
            [
                once("language", "en", condition={"words": "in mails"}),
                once("language", "en", condition=when("in mails", "task:mail")),
            ],
            0,
            id="an order that was repeated",
        ),
        pytest.param(
            [once("format/tables", "off"), once("format/tables", "on")],
            0,
            id="an order that the contrary ended",
        ),
    ]


@pytest.mark.parametrize(("labels", "gone"), histories())
def test_all_other_rules_stay_as_they_were(labels: list[Label], gone: int) -> None:
    ledger = Ledger()
    turns = [ledger.say(label, context=IN_SHOP) for label in labels]
    kept = Kept(ledger)
    erased = id_of(turns[gone])
    before = kept.rules

    kept.erase(erased)

    assert kept.rules.keys() == before.keys()
    assert is_redacted(kept.rules[erased].value)
    assert kept.rules[erased].state is before[erased].state
    left = {id: rule for id, rule in kept.rules.items() if not is_redacted(rule.value)}
    assert left == {id: before[id] for id in left}
    assert kept.folded == kept.rules


@pytest.mark.parametrize(("labels", "gone"), histories())
def test_the_next_turn_advances_what_is_folded(labels: list[Label], gone: int) -> None:
    ledger = Ledger()
    turns = [ledger.say(label) for label in labels]
    kept = Kept(ledger)
    kept.erase(id_of(turns[gone]))

    for label in labels:
        kept.keeper.keep(ANN, ledger.say(label))

    assert kept.folded == kept.rules


def test_conditions_once_told_apart_stay_apart() -> None:
    ledger = Ledger()
    first = ledger.say(
        durable("tone", "formal", condition=when("to clients", "task:mail")),
        durable("tone", "casual", condition=when("to friends", "task:mail")),
    )
    ledger.say(
        durable("tone", "neutral", revises="correction", condition=when("to clients", "task:mail"))
    )
    kept = Kept(ledger)
    kept.redact()

    assert is_redacted(kept.rules[id_of(first, 0)].value)
    assert kept.rules[id_of(first, 1)].state is State.ACTIVE


def test_what_was_told_of_a_signal_is_told_again() -> None:
    ledger = Ledger()
    ledger.say(durable("length", "long"))
    ledger.say(forget("length", "long"))
    proposed = ledger.say(inferred("length", "!long"))
    signal = ledger.say(inferred("length", "long"))
    other = ledger.say(durable("tone", "warm"))
    against = ledger.say(inferred("tone", "cold"))
    kept = Kept(ledger)
    kept.redact()
    kept.erase(id_of(proposed))
    kept.erase(id_of(other))

    plans = kept.keeper.fold(kept.store.ledger(ANN)).plans
    rows = {plan.turn: [change.row for change in plan.changes] for plan in plans}
    assert rows[signal.turn] == [Row.DROP_PROPOSAL, Row.NEVER_AGAIN]
    assert rows[against.turn] == [Row.EVIDENCE_ONLY]


# --- Never again ------------------------------------------------------------------------------


def test_what_was_forgotten_is_never_proposed_again_after_its_text_is_gone() -> None:
    ledger = Ledger()
    ledger.say(durable("format/tables", "off"))
    ledger.say(forget("format/tables", "off"))
    kept = Kept(ledger)
    kept.redact()

    same = kept.keeper.keep(ANN, ledger.say(inferred("format/tables", "!table")))
    other_value = kept.keeper.keep(ANN, ledger.say(inferred("format/tables", "wide")))
    other_slot = kept.keeper.keep(ANN, ledger.say(inferred("format/emoji", "off")))

    assert [change.row for change in same.plan.changes] == [Row.NEVER_AGAIN]
    assert [change.row for change in other_value.plan.changes] == [Row.PROPOSE]
    assert [change.row for change in other_slot.plan.changes] == [Row.PROPOSE]


def test_a_turn_delivered_once_more_brings_no_text_back() -> None:
    ledger, _ = forgotten()
    kept = Kept(ledger)
    kept.redact()
    before = kept.store.ledger(ANN)

    for entry in ledger.entries:
        assert kept.keeper.keep(ANN, entry).seen

    assert kept.store.ledger(ANN) == before


def test_a_turn_that_links_stand_for_is_not_read_again() -> None:
    ledger = Ledger()
    ledger.say(durable("language", "zh", condition=MAILS))
    second = ledger.say(durable("language", "en", revises="correction"))
    kept = Kept(ledger)
    kept.redact()
    before = kept.rules

    assert kept.keeper.keep(ANN, second).seen
    assert kept.rules == before


# --- Laws -------------------------------------------------------------------------------------


def told(rule: Rule) -> set[str]:
    """The words of a rule that are found nowhere else."""
    quotes = (quote for each in rule.evidence for quote in each.quote)
    return {text.split()[0] for text in (rule.statement, *quotes) if text}


def assert_gone(kept: Kept, before: dict[RuleId, Rule], wanted: set[RuleId]) -> None:
    after = kept.rules
    gone = {id for id, rule in after.items() if is_redacted(rule.value)}
    left = {id: rule for id, rule in after.items() if id not in gone}
    words = {word for id in wanted for word in told(before[id])}
    spared = {word for rule in left.values() for word in told(rule)}

    assert wanted <= gone
    assert kept.folded == after
    assert {id: plainly(rule) for id, rule in left.items()} == {
        id: plainly(before[id]) for id in left
    }
    assert not [word for word in words - spared if f"{word} " in kept.text]


def plainly(rule: Rule) -> Rule:
    """The rule without what may go with another: a quote they share, a pair that is settled."""
    evidence = tuple(each.model_copy(update={"quote": ()}) for each in rule.evidence)
    return rule.model_copy(update={"evidence": evidence, "unsettled": ()})


@LAWS
@given(ledgers())
def test_redaction_keeps_states_and_leaves_no_word(ledger: Ledger) -> None:
    kept = Kept(ledger)
    before = kept.rules
    wanted = {rule.id for rule in before.values() if is_due(rule, before=ledger.now)}

    kept.redact()

    assert_gone(kept, before, wanted)
    assert {id: rule.state for id, rule in kept.rules.items()} == {
        id: rule.state for id, rule in before.items()
    }


@LAWS
@given(ledgers(), st.integers(0, 20))
def test_erasing_a_rule_leaves_no_word_and_all_others(ledger: Ledger, pick: int) -> None:
    kept = Kept(ledger)
    if not kept.rules:
        return
    erased = sorted(kept.rules)[pick % len(kept.rules)]
    ledger.command("forget", erased)
    kept.keeper.keep(ANN, ledger.entries[-1])
    before = kept.rules

    kept.erase(erased)

    assert_gone(kept, before, {erased})

"""The fold: said order, edits, undo, questions, and what each entry changed."""

from datetime import timedelta
from itertools import permutations
from time import process_time

import pytest
from ledgers import HERE, NINE, REGISTRY, Ledger, durable, forget, id_of, lines

from henceforth.pipeline.core.fold import Folded, advance, fold, in_said_order, position
from henceforth.pipeline.core.reconcile import reconcile
from henceforth.schemas.labels import Clarify
from henceforth.schemas.ledger import CommandEntry, LedgerEntry, Relation, TurnEntry
from henceforth.schemas.plan import Row
from henceforth.schemas.rule import State

MINUTE = timedelta(minutes=1)


def test_an_empty_ledger_comes_to_nothing() -> None:
    assert fold([], registry=REGISTRY) == Folded()


# --- Said order ----------------------------------------------------------------------------


def test_the_fold_runs_in_said_order_whatever_the_order_of_arrival() -> None:
    ledger = Ledger()
    first = ledger.say(durable("language", "zh"))
    ledger.say(durable("language", "en"))
    ledger.command("forget", id_of(first))
    ledger.event("the launch")
    ledger.say(forget("language", "en", back=True))
    whole = ledger.fold()

    for arrived in permutations(ledger.entries):
        assert fold(arrived, registry=REGISTRY) == whole


@pytest.mark.parametrize("first", [1, 2])
def test_in_one_moment_the_place_in_the_conversation_decides(first: int) -> None:
    ledger = Ledger()
    ledger.say(durable("language", "zh"), id="b", at=NINE, index=first)
    ledger.say(durable("language", "en"), id="a", at=NINE, index=3 - first)

    assert ledger.lines() == [f"language/replies={'zh' if first == 2 else 'en'}"]


def test_in_one_place_the_turn_id_decides() -> None:
    ledger = Ledger()
    ledger.say(durable("language", "zh"), id="b", at=NINE, index=1)
    ledger.say(durable("language", "en"), id="a", at=NINE, index=1)

    assert ledger.lines() == ["language/replies=zh"]


def test_in_one_moment_a_command_comes_after_every_turn() -> None:
    ledger = Ledger()
    turn = ledger.say(durable("language", "zh"))
    ledger.command("forget", id_of(turn))
    said = turn.model_copy(update={"index": 10**6, "said_at": ledger.now})
    ledger.entries[0] = said

    assert not ledger.lines()


def test_of_two_commands_in_one_moment_the_order_is_the_same_whichever_came_first() -> None:
    ledger = Ledger()
    turn = ledger.say(durable("language", "zh"))
    ledger.command("forget", id_of(turn))
    ledger.now -= MINUTE
    ledger.command("confirm", id_of(turn))
    turn_entry, one, other = ledger.entries

    ways = [fold([turn_entry, *each], registry=REGISTRY) for each in ((one, other), (other, one))]

    assert ways[0] == ways[1]


def test_when_a_command_was_recorded_does_not_matter() -> None:
    ledger = Ledger()
    turn = ledger.say(durable("language", "zh"))
    ledger.command("forget", id_of(turn))
    command = ledger.entries[-1]
    assert isinstance(command, CommandEntry)

    later = command.model_copy(update={"recorded_at": NINE + timedelta(days=1)})

    assert position(later) == position(command)


def test_the_head_is_the_latest_place_in_said_order() -> None:
    ledger = Ledger()
    late = ledger.say(durable("language", "zh"), at=NINE + 2 * MINUTE)
    ledger.say(durable("language", "en"), at=NINE)

    assert ledger.fold().head == position(late)


def test_every_entry_that_counts_has_a_plan_in_said_order() -> None:
    ledger = Ledger()
    late = ledger.say(durable("language", "zh"), at=NINE + 2 * MINUTE)
    early = ledger.say(at=NINE)

    assert [plan.turn for plan in ledger.fold().plans] == [early.turn, late.turn]
    assert in_said_order(ledger.entries) == [early, late]


def test_a_plan_says_at_which_version_the_rules_were_read() -> None:
    ledger = Ledger()
    turn = ledger.say(durable("language", "zh"))
    ledger.say()
    ledger.command("forget", id_of(turn))

    unread, read = Folded(), Folded()
    for entry in in_said_order(ledger.entries):
        unread = advance(unread, entry, registry=REGISTRY)
        read = advance(read, entry, registry=REGISTRY, version=7)

    assert [plan.version for plan in unread.plans] == [0, 0, 0]
    assert [plan.version for plan in read.plans] == [7, 7, 7]
    assert reconcile(turn, (), registry=REGISTRY).version == 0


# --- Edits, undo, repetition ------------------------------------------------------------------


def test_a_turn_that_arrives_late_is_reconciled_where_it_was_said() -> None:
    ledger = Ledger()
    ledger.say(durable("language", "en"), at=NINE + 2 * MINUTE)
    late = ledger.say(durable("language", "zh"), at=NINE)

    assert ledger.lines() == ["language/replies=en"]
    assert ledger.rule(late).state is State.SUPERSEDED


def test_an_edited_turn_counts_as_said_otherwise() -> None:
    ledger = Ledger()
    first = ledger.say(durable("language", "zh"))
    ledger.say(durable("tone", "warm"))
    edited = ledger.say(durable("language", "en"), id=first.turn, at=first.said_at)

    assert ledger.lines() == ["language/replies=en", "tone/replies=warm"]
    assert ledger.rules[0].evidence[0].said_at == edited.said_at
    assert len(ledger.fold().plans) == 2


def test_what_an_edited_turn_no_longer_says_is_not_there_at_all() -> None:
    ledger = Ledger()
    first = ledger.say(durable("language", "zh"), durable("tone", "warm"))
    ledger.say(durable("language", "zh"), id=first.turn, at=first.said_at)

    assert [rule.id for rule in ledger.rules] == [id_of(first)]


def test_the_same_text_under_another_id_is_evidence() -> None:
    ledger = Ledger()
    first = ledger.say(durable("language", "zh"))
    again = ledger.say(durable("language", "zh"))

    assert ledger.rows(again) == [Row.REINFORCE]
    assert len(ledger.rule(first).evidence) == 2


def test_an_undone_turn_counts_as_never_said() -> None:
    ledger = Ledger()
    ledger.say(durable("language", "zh"))
    before = ledger.fold()
    turn = ledger.say(durable("language", "en"))
    ledger.undo(turn)

    assert ledger.fold() == before


def test_an_undone_forget_gives_the_rule_back() -> None:
    ledger = Ledger()
    ledger.say(durable("language", "zh"))
    turn = ledger.say(forget("language", "zh"))
    ledger.undo(turn)

    assert ledger.lines() == ["language/replies=zh"]


def test_undoing_an_early_turn_leaves_the_later_ones() -> None:
    ledger = Ledger()
    first = ledger.say(durable("language", "zh"))
    ledger.say(durable("language", "en"))
    ledger.undo(first)

    assert ledger.lines() == ["language/replies=en"]
    assert ledger.rules[0].supersedes == ()


def test_a_turn_may_be_said_anew_after_an_undo() -> None:
    ledger = Ledger()
    turn = ledger.say(durable("language", "zh"))
    ledger.undo(turn)
    ledger.say(durable("language", "en"), id=turn.turn)

    assert ledger.lines() == ["language/replies=en"]


def test_an_undo_of_a_turn_nobody_knows_changes_nothing() -> None:
    ledger = Ledger()
    turn = ledger.say(durable("language", "zh"))
    ledger.undo(turn.model_copy(update={"turn": "another"}))

    assert ledger.lines() == ["language/replies=zh"]


def test_a_link_that_comes_before_its_turn_is_void() -> None:
    ledger = Ledger()
    first = ledger.say(durable("content", "formula"))
    second = ledger.say(durable("content", "units"))
    ledger.link(second, id_of(first), Relation.REPLACES)
    first_entry, second_entry, link = ledger.entries

    before = fold([first_entry, link, second_entry], registry=REGISTRY)
    after = fold([first_entry, second_entry, link], registry=REGISTRY)

    assert len(lines(before.rules)) == 2
    assert len(lines(after.rules)) == 1


# --- Questions ---------------------------------------------------------------------------------


def test_a_question_to_clarify_stays_open_until_its_turn_says_more() -> None:
    ledger = Ledger()
    turn = ledger.say(clarify=Clarify(question="Always?"))
    ledger.say(durable("language", "zh"))
    assert len(ledger.questions) == 1

    ledger.say(durable("tone", "warm"), id=turn.turn, at=turn.said_at)

    assert not ledger.questions


def test_a_question_closed_once_stays_closed() -> None:
    ledger = Ledger()
    first = ledger.say(durable("content", "formula"))
    second = ledger.say(durable("content", "units"))
    ledger.say(forget("content"))
    for turn in (first, second):
        ledger.command("forget", id_of(turn))
    ledger.say(durable("content", "formula"))

    assert not ledger.questions


# --- Time --------------------------------------------------------------------------------------


def long_ledger(turns: int, *, every: int) -> list[LedgerEntry]:
    """A ledger in which one turn of several says something."""
    ledger = Ledger()
    slots = [f"content/part-{number}" for number in range(40)]
    for number in range(turns):
        said = durable(slots[number % 39], f"value {number % 7}", statement="Say it so")
        ledger.say(*([said] if number % every == 0 else []), context=HERE)
    return list(ledger.entries)


def test_two_thousand_turns_fold_within_two_seconds() -> None:
    entries = long_ledger(2000, every=5)
    fold(entries[:50], registry=REGISTRY)  # what is read once is read

    start = process_time()
    folded = fold(entries, registry=REGISTRY)

    assert process_time() - start < 2
    assert len(lines(folded.rules)) > 200
    assert sum(isinstance(entry, TurnEntry) for entry in entries) == len(folded.plans)

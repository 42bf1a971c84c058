"""Laws that hold for every ledger, tried on random ones."""

from collections.abc import Sequence
from itertools import permutations
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from laws import CONTEXTS, LAWS, arrived, labels, ledgers
from ledgers import REGISTRY, Ledger, shown

from henceforth.pipeline.core.conflict import contradicts, same_slot
from henceforth.pipeline.core.fold import Folded, fold, in_said_order, position
from henceforth.pipeline.core.in_force import in_force
from henceforth.pipeline.core.precedence import stronger_by
from henceforth.pipeline.core.reconcile import apply, reconcile
from henceforth.pipeline.keeper import Keeper
from henceforth.pipeline.stores.memory import MemoryStore
from henceforth.pipeline.stores.protocol import Snapshot
from henceforth.schemas.context import Context
from henceforth.schemas.ids import RuleId, SubjectId, subject_id
from henceforth.schemas.labels import Intent, Label, Reach
from henceforth.schemas.ledger import LedgerEntry, TurnEntry
from henceforth.schemas.plan import Row
from henceforth.schemas.rule import Rule, State

ANN, BOB = subject_id("ann"), subject_id("bob")


def by_id(rules: Sequence[Rule]) -> dict[RuleId, Rule]:
    return {rule.id: rule for rule in rules}


def kept(entries: Sequence[LedgerEntry], *, subject: SubjectId = ANN) -> MemoryStore:
    """A store that was given the entries one by one."""
    store = MemoryStore()
    keeper = Keeper(store, REGISTRY)
    for entry in entries:
        keeper.keep(subject, entry)
    return store


def same(folded: Folded, projection: Snapshot) -> bool:
    """Whether a projection is what a fold comes to."""
    return (
        by_id(folded.rules) == by_id(projection.rules)
        and {each.id: each for each in folded.questions}
        == {each.id: each for each in projection.questions}
        and folded.head == projection.head
    )


@LAWS
@given(ledgers())
def test_folding_a_ledger_twice_gives_one_answer(ledger: Ledger) -> None:
    assert ledger.fold() == ledger.fold()


@LAWS
@given(ledgers(), st.lists(st.floats(0, 1), max_size=8))
def test_entry_by_entry_is_the_full_fold_in_every_order_of_arrival(
    ledger: Ledger, order: list[float]
) -> None:
    entries = arrived(ledger.entries, order)

    projection = kept(entries).read(ANN)

    assert same(fold(entries, registry=REGISTRY), projection)
    assert same(ledger.fold(), projection)


@LAWS
@given(ledgers())
def test_applying_a_plan_is_folding_the_longer_ledger(ledger: Ledger) -> None:
    said = in_said_order(ledger.entries)

    for length, entry in enumerate(said):
        before = fold(said[:length], registry=REGISTRY)
        after = fold(said[: length + 1], registry=REGISTRY)

        assert after.rules == apply(after.plans[-1], before.rules)
        assert after.head == position(entry)
        if isinstance(entry, TurnEntry):
            assert after.plans[-1] == reconcile(entry, before.rules, registry=REGISTRY)


@LAWS
@given(ledgers())
def test_a_turn_without_labels_gives_an_empty_plan(ledger: Ledger) -> None:
    before = ledger.fold()

    turn = ledger.say()

    assert ledger.plan(turn).changes == ledger.plan(turn).questions == ()
    assert ledger.fold().rules == before.rules
    assert ledger.fold().questions == before.questions


@LAWS
@given(ledgers())
def test_the_same_turn_twice_equals_once(ledger: Ledger) -> None:
    store = kept(ledger.entries)
    before, rows = store.read(ANN), store.ledger(ANN)

    for entry in in_said_order(ledger.entries):
        if isinstance(entry, TurnEntry):
            again = Keeper(store, REGISTRY).keep(ANN, entry)
            assert again.seen
            assert again.plan.changes == ()

    assert store.read(ANN) == before
    assert store.ledger(ANN) == rows


@LAWS
@given(ledgers(), st.lists(labels(), max_size=3), st.sampled_from(CONTEXTS))
def test_undo_after_a_turn_restores(ledger: Ledger, said: list[Label], where: Context) -> None:
    store = kept(ledger.entries)
    before = store.read(ANN)
    turn = ledger.say(*said, context=where)
    Keeper(store, REGISTRY).keep(ANN, turn)

    ledger.undo(turn)
    Keeper(store, REGISTRY).keep(ANN, ledger.entries[-1])

    after = store.read(ANN)
    assert by_id(after.rules) == by_id(before.rules)
    assert (after.questions, after.head) == (before.questions, before.head)


NARROW = (Intent.DURABLE, Intent.THIS_TASK, Intent.INFERRED)
LEFT, RIGHT = ("language/replies", "format/tables"), ("length/replies", "content/replies")


def plainly(label: Label) -> Label:
    """The label without what may reach into another slot."""
    return label.model_copy(update={"replaces": None})


def brought(ledger: Ledger, *labels: Label) -> list[str]:
    """What the rules are after two more turns, whichever came first."""
    for label in labels:
        ledger.say(label, id=f"on {label.dimension}")
    return sorted(f"{rule.state} {rule.provenance} {shown(rule)}" for rule in ledger.rules)


@LAWS
@given(
    ledgers(),
    labels(intents=NARROW, slots=LEFT).map(plainly),
    labels(intents=NARROW, slots=RIGHT).map(plainly),
)
def test_unrelated_labels_commute(ledger: Ledger, left: Label, right: Label) -> None:
    other = Ledger()
    other.entries, other.now = list(ledger.entries), ledger.now

    assert brought(ledger, left, right) == brought(other, right, left)


@LAWS
@given(ledgers(), st.lists(labels().map(plainly), min_size=1, max_size=3))
def test_no_plan_touches_another_slot(ledger: Ledger, said: list[Label]) -> None:
    before = by_id(ledger.rules)

    turn = ledger.say(*said)

    for change in ledger.plan(turn).changes:
        assert change.label is not None
        label = said[change.label]
        for rule in change.rules:
            assert may_touch(label, change.row, rule, before)


def may_touch(label: Label, row: Row, rule: Rule, before: dict[RuleId, Rule]) -> bool:
    if same_slot(label, rule, REGISTRY):
        return True
    if row is Row.UNSETTLED:  # marked as a pair, and otherwise as it was
        known = before.get(rule.id, rule)
        return rule == known.model_copy(update={"unsettled": rule.unsettled})
    wide = label.reach in {Reach.EVERYTHING, Reach.SCOPE, Reach.DIMENSION, Reach.ALL_MATCHING}
    return wide or (label.reach is Reach.ONE and rule.value == label.value)


@LAWS
@given(ledgers(), st.lists(labels(), min_size=1, max_size=3))
def test_no_plan_touches_another_subject(ledger: Ledger, said: list[Label]) -> None:
    store = kept(ledger.entries, subject=BOB)
    before, rows = store.read(BOB), store.ledger(BOB)
    keeper = Keeper(store, REGISTRY)

    for entry in (*ledger.entries, ledger.say(*said)):
        keeper.keep(ANN, entry)
    for rule in store.read(ANN).rules[:1]:
        keeper.erase(ANN, rule.id, now=ledger.now)

    assert store.read(BOB) == before
    assert store.ledger(BOB) == rows


@LAWS
@given(ledgers(), st.sampled_from(CONTEXTS), st.randoms(use_true_random=False))
def test_the_rules_in_force_do_not_depend_on_the_order_of_the_rules(
    ledger: Ledger, context: Context, random: Random
) -> None:
    shuffled = list(ledger.rules)
    random.shuffle(shuffled)

    answer = in_force(shuffled, context=context, as_of=ledger.now)

    assert answer == ledger.in_force(context)


@LAWS
@given(ledgers(), st.sampled_from(CONTEXTS))
def test_a_rule_is_given_once_and_only_where_it_is_open(ledger: Ledger, context: Context) -> None:
    answer = ledger.in_force(context)

    given = [*answer.rules, *(lost.rule for lost in answer.overridden), *answer.proposed]
    assert len({rule.id for rule in given}) == len(given)
    assert {rule.state for rule in given} <= {State.ACTIVE, State.PROPOSED}
    assert {lost.by for lost in answer.overridden} <= {rule.id for rule in answer.winners}


@LAWS
@given(ledgers(), st.sampled_from(CONTEXTS))
def test_no_winner_beats_another_and_every_loser_was_beaten(
    ledger: Ledger, context: Context
) -> None:
    answer = ledger.in_force(context)

    won = by_id(answer.winners)
    for one, other in permutations(answer.winners, 2):
        step = stronger_by(one, other, context=context)
        assert step is None or not contradicts(one, other, REGISTRY)
    for lost in answer.overridden:
        winner = won[lost.by]
        assert contradicts(winner, lost.rule, REGISTRY)
        assert stronger_by(winner, lost.rule, context=context) is lost.step

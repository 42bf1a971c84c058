"""The document sequence after each turn; and three ways to get it wrong, each of which is seen."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Protocol

import pytest
from ledgers import REGISTRY, Ledger, durable, forget, once, shown, when

from henceforth.pipeline.core.fold import fold
from henceforth.pipeline.core.in_force import in_force
from henceforth.pipeline.core.reconcile import apply, reconcile
from henceforth.schemas.context import Context
from henceforth.schemas.dimensions import Registry
from henceforth.schemas.labels import Intent, Reach, Revises
from henceforth.schemas.ledger import TurnEntry
from henceforth.schemas.plan import Plan
from henceforth.schemas.rule import Rule, State

CHINESE, ENGLISH = "language/replies=zh", "language/replies=en"
CONCISE = "length/replies=concise"
DEEP = "detail/replies=reasoning ?technical proposals"
HERE = Context(conversation="talk", task="customer-email", task_type="email")

TURNS = {
    "Use Chinese by default and keep answers concise.": [
        durable("language", "zh", statement="Reply in Chinese"),
        durable("length", "concise", statement="Keep answers concise"),
    ],
    "Explain reasoning and tradeoffs in technical proposals.": [
        durable(
            "detail",
            "reasoning",
            condition=when("technical proposals", "task:technical-proposal"),
            statement="Explain reasoning and tradeoffs in technical proposals",
        )
    ],
    "Write this customer email in English.": [
        once("language", "en", statement="Write this customer email in English")
    ],
    "Use English for all future replies.": [
        durable("language", "en", scope="everywhere", statement="Reply in English")
    ],
    "Forget my preference about answer length.": [
        forget("length", statement="My preference about answer length")
    ],
}

STANDING = [
    {CHINESE, CONCISE},
    {CHINESE, CONCISE, DEEP},
    {CHINESE, CONCISE, DEEP},
    {ENGLISH, CONCISE, DEEP},
    {ENGLISH, DEEP},
]
"""What a fresh session is given after each turn."""


class Reconcile(Protocol):
    """How the labels of one turn become a plan."""

    def __call__(self, entry: TurnEntry, rules: Sequence[Rule], *, registry: Registry) -> Plan:
        """The plan."""
        ...


def conversation() -> Sequence[TurnEntry]:
    ledger = Ledger()
    return [ledger.say(*labels, context=HERE) for labels in TURNS.values()]


class Fault(NamedTuple):
    """Something the saved state gets wrong from a turn on, counted from 1."""

    turn: int
    what: str
    rule: str


def faults(turns: Sequence[TurnEntry], reconciled: Reconcile) -> list[Fault]:
    """What is wrong with what a fresh session is given, each fault at the turn that brings it."""
    found: list[Fault] = []
    rules: tuple[Rule, ...] = ()
    before, wrong = set[str](), set[str]()
    for number, (turn, wanted) in enumerate(zip(turns, STANDING, strict=True), start=1):
        rules = apply(reconciled(turn, rules, registry=REGISTRY), rules)
        given = given_to_a_fresh_session(rules, turn)
        found += [
            Fault(number, _what(rule, before, given), rule)
            for rule in sorted((given ^ wanted) - wrong)
        ]
        before, wrong = given, given ^ wanted
    return found


def _what(rule: str, before: set[str], given: set[str]) -> str:
    if rule in given:
        return "is still there" if rule in before else "was not asked for"
    return "was deleted" if rule in before else "is missing"


def given_to_a_fresh_session(rules: Sequence[Rule], turn: TurnEntry) -> set[str]:
    fresh = Context(conversation="fresh")
    answer = in_force(rules, context=fresh, as_of=turn.said_at)
    return {shown(rule) for rule in answer.rules}


# --- As it must be ---


def test_each_turn_leaves_what_the_table_says() -> None:
    assert faults(conversation(), reconcile) == []


def test_turn_by_turn_is_the_fold() -> None:
    turns = conversation()
    rules: tuple[Rule, ...] = ()
    for turn in turns:
        rules = apply(reconcile(turn, rules, registry=REGISTRY), rules)

    assert rules == fold(turns, registry=REGISTRY).rules


@pytest.mark.parametrize(
    ("after", "context", "winners", "others"),
    [
        pytest.param(2, {}, {CHINESE, CONCISE}, {DEEP}, id="an ordinary question"),
        pytest.param(
            2,
            {"task_type": "technical-proposal"},
            {CHINESE, CONCISE, DEEP},
            set[str](),
            id="a technical proposal",
        ),
        pytest.param(
            3,
            {"conversation": "talk", "task": "customer-email", "task_type": "email"},
            {"language/replies=en for this task", CONCISE},
            set[str](),
            id="the email in hand",
        ),
        pytest.param(
            3,
            {"conversation": "talk", "task": "memo", "task_type": "memo"},
            {CHINESE, CONCISE},
            set[str](),
            id="a later task in the same conversation",
        ),
        pytest.param(
            5,
            {"task_type": "technical-proposal"},
            {ENGLISH, DEEP},
            set[str](),
            id="a technical proposal after all five",
        ),
    ],
)
def test_each_moment_is_given_its_rules(
    after: int, context: Mapping[str, str], winners: set[str], others: set[str]
) -> None:
    turns = conversation()[:after]
    rules = fold(turns, registry=REGISTRY).rules
    moment = Context.model_validate({"conversation": "fresh", **context})

    answer = in_force(rules, context=moment, as_of=turns[-1].said_at)

    assert {shown(rule) for rule in answer.winners} == winners
    assert {shown(rule) for rule in answer.conditional} == others


def test_what_was_replaced_is_kept_and_linked() -> None:
    rules = {shown(rule): rule for rule in fold(conversation(), registry=REGISTRY).rules}

    old, new = rules[CHINESE], rules[ENGLISH]
    assert old.state is State.SUPERSEDED
    assert (old.superseded_by, new.supersedes) == (new.id, (old.id,))
    assert rules[CONCISE].state is State.FORGOTTEN
    assert rules[CONCISE].superseded_by is None


def test_a_command_keeps_both_its_repository_and_its_workspace() -> None:
    ledger = Ledger()
    where = {"repository": "shop", "workspace": "web"}
    ledger.say(durable("tooling/test-command", "make check", scope=where))

    there = ledger.in_force(Context(conversation="fresh", repository="shop", workspace="web"))
    next_door = ledger.in_force(Context(conversation="fresh", repository="shop", workspace="api"))
    elsewhere = ledger.in_force(Context(conversation="fresh", repository="mill", workspace="web"))

    assert [rule.value for rule in there.winners] == ["make check"]
    assert next_door.rules == elsewhere.rules == ()


# --- As it must not be ---

Variant = Callable[[TurnEntry, Sequence[Rule]], TurnEntry]


def broken(how: Variant, entry: TurnEntry, rules: Sequence[Rule], *, registry: Registry) -> Plan:
    """The real reconcile, misled about what the turn says."""
    return reconcile(how(entry, rules), rules, registry=registry)


def relabelled(entry: TurnEntry, **update: object) -> TurnEntry:
    labels = tuple(label.model_copy(update=update) for label in entry.labels.labels)
    return entry.model_copy(update={"labels": entry.labels.model_copy(update={"labels": labels})})


def keeps_the_first_value(entry: TurnEntry, rules: Sequence[Rule]) -> TurnEntry:
    """A slot that is taken stays as it is: what comes later is taken for a passing wish."""
    taken = {rule.slot for rule in rules}
    slots = {f"{label.dimension}/{label.target}" for label in entry.labels.labels}
    is_update = entry.labels.labels[0].intent is Intent.DURABLE and slots <= taken
    return relabelled(entry, intent=Intent.THIS_TASK) if is_update else entry


def takes_every_wish_for_good(entry: TurnEntry, rules: Sequence[Rule]) -> TurnEntry:
    """The latest sentence on a slot is the rule, whatever it was said for."""
    is_order = entry.labels.labels[0].intent is Intent.THIS_TASK
    change = {"intent": Intent.DURABLE, "span": None, "revises": Revises.CHANGE}
    return relabelled(entry, **change) if is_order else entry


def forgets_all_it_knows(entry: TurnEntry, rules: Sequence[Rule]) -> TurnEntry:
    """A forget takes whatever there is."""
    is_forget = entry.labels.labels[0].intent is Intent.FORGET
    return relabelled(entry, reach=Reach.EVERYTHING) if is_forget else entry


def overrules_conditions(entry: TurnEntry, rules: Sequence[Rule]) -> TurnEntry:
    """A condition is not understood: what was said for a case is said for all."""
    return relabelled(entry, condition=None)


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        pytest.param(
            keeps_the_first_value,
            [
                Fault(4, "is missing", ENGLISH),
                Fault(4, "is still there", CHINESE),
            ],
            id="an update that did not take effect",
        ),
        pytest.param(
            takes_every_wish_for_good,
            [
                Fault(3, "was not asked for", ENGLISH),
                Fault(3, "was deleted", CHINESE),
            ],
            id="an exception that became the default",
        ),
        pytest.param(
            forgets_all_it_knows,
            [
                Fault(5, "was deleted", DEEP),
                Fault(5, "was deleted", ENGLISH),
            ],
            id="an unrelated preference deleted",
        ),
        pytest.param(
            overrules_conditions,
            [
                Fault(2, "was not asked for", "detail/replies=reasoning"),
                Fault(2, "is missing", DEEP),
            ],
            id="a condition lost",
        ),
    ],
)
def test_a_fault_in_the_saved_state_is_seen(how: Variant, expected: list[Fault]) -> None:
    assert faults(conversation(), partial(broken, how)) == expected

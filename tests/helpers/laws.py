"""Random ledgers for laws: few slots, values and places, so that labels meet each other often."""

import os
from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from ledgers import Ledger, id_of

from henceforth.schemas.context import Context
from henceforth.schemas.labels import Intent, Label, Reach
from henceforth.schemas.ledger import LedgerEntry, Relation, TurnEntry

T = TypeVar("T")

LAWS = settings(max_examples=200, deadline=None, derandomize="CI" in os.environ)
"""How each law is tried."""

# One value a slot; many; a listed target; an unlisted one under two dimensions.
SLOTS = {
    "language/replies": ["zh", "Chinese", "en", "no"],
    "length/replies": ["concise", "long"],
    "content/replies": ["formula", "long intro", "intro"],
    "format/tables": ["on", "off", "wide"],
    "workflow/deploys": ["tests first", "first tests", "off"],
    "tone/deploys": ["tests first", "calm"],
}
CONTEXTS = [
    Context(conversation="talk"),
    Context(conversation="talk", task="letter", task_type="mail"),
    Context(conversation="talk", repository="shop", workspace="web"),
    Context(conversation="other", repository="shop", task_type="chat"),
]
_SCOPES: list[Any] = [
    "everywhere",
    {"repository": "shop"},
    {"repository": "api"},
    {"repository": "shop", "workspace": "web"},
]
_CONDITIONS: list[Any] = [
    {"words": "in mails", "tags": ["task:mail"]},
    {"words": "when I write mails", "tags": ["task:mail"]},
    {"words": "to clients", "tags": ["audience:client"]},
    {"words": "when I am tired"},
]
_UNTIL = ["2026-03-02", "2026-03-05", "the launch", "permanent"]
_INTENTS = [*Intent, *(Intent.DURABLE,) * 5, Intent.INFERRED, Intent.FORGET]


def _rarely(random: Random, values: Sequence[Any], usual: Any = None) -> Any:
    return random.choice(values) if random.random() < 0.2 else usual


def _label(random: Random) -> Label:
    slot = random.choice(list(SLOTS))
    intent = random.choice(_INTENTS)
    dimension, _, target = slot.partition("/")
    takes_back = intent in {Intent.FORGET, Intent.RETIRE}
    given: dict[str, Any] = {
        "intent": intent,
        "dimension": dimension,
        "target": target,
        "value": random.choice([*SLOTS[slot], "any"] if takes_back else SLOTS[slot]),
        "polarity": _rarely(random, ["avoid", "lift"], "do"),
        "scope": _rarely(random, _SCOPES),
        "condition": _rarely(random, _CONDITIONS),
        "until": _rarely(random, _UNTIL),
    }
    if intent is Intent.DURABLE:
        given["exception"] = _rarely(random, _CONDITIONS)
        given["revises"] = random.choice([None, None, "change", "correction"])
        given["replaces"] = _rarely(random, SLOTS[slot])
        given["sweeping"] = _rarely(random, [True], False)
        given["kind"] = "fact" if random.random() < 0.05 else "preference"
    if intent is Intent.THIS_TASK:
        given["span"] = random.choice(["task", "conversation"])
    if takes_back:
        given["reach"] = _rarely(random, list(Reach), Reach.ONE)
        given["back"] = _rarely(random, [True], False)
    return Label.model_validate(given)


# Made once: drawing a label field by field would take most of the time.
POOL = [_label(Random(seed)) for seed in range(3000)]


@lru_cache(maxsize=64)
def labels(
    *, intents: tuple[Intent, ...] = tuple(Intent), slots: tuple[str, ...] = tuple(SLOTS)
) -> st.SearchStrategy[Label]:
    """Any label of these intents and slots."""
    fit = [
        label
        for label in POOL
        if label.intent in intents and f"{label.dimension}/{label.target}" in slots
    ]
    return st.sampled_from(fit)


_TURNS = [
    *((CONTEXTS[0], f"m{number}", 1) for number in range(12)),
    *(
        (context, reacts_to, minutes)
        for context in CONTEXTS
        for reacts_to in (None, "m1")
        for minutes in (60, 60 * 24)
    ),
]
_ELSE: list[tuple[str, Any]] = [
    *((what, pick) for what in ("forget", "confirm", "undo", "edit") for pick in range(6)),
    *(
        ("link", (turn, rule, relation))
        for turn in range(5)
        for rule in range(5)
        for relation in Relation
    ),
    *(("end", task) for task in (None, None, "letter", "letter")),
    *(("event", "the launch"),) * 4,
]


def steps(of: st.SearchStrategy[Label]) -> st.SearchStrategy[tuple[str, Any]]:
    """One thing that happens: a turn of up to three labels, mostly."""
    turn = st.tuples(st.just("turn"), st.tuples(st.lists(of, max_size=3), st.sampled_from(_TURNS)))
    return st.one_of(turn, turn, turn, turn, st.sampled_from(_ELSE))


def _at(items: Sequence[T], place: int) -> T:
    return items[place % len(items)]


def built(told: Sequence[tuple[str, Any]]) -> Ledger:
    """The ledger of these steps; a step that has nothing to speak of yet is left out."""
    ledger = Ledger()
    for number, (what, how) in enumerate(told):
        turns = [each for each in ledger.entries if isinstance(each, TurnEntry)]
        brought = [id_of(turn, n) for turn in turns for n in range(len(turn.labels.labels))]
        if what == "turn":
            said, (context, reacts_to, minutes) = how
            spoken = [_worded(label, f"secret{number}x{n}") for n, label in enumerate(said)]
            at = ledger.now + timedelta(minutes=minutes)
            ledger.say(*spoken, context=context, reacts_to=reacts_to, at=at)
        elif what == "end":
            ledger.end(task=how)
        elif what == "event":
            ledger.event(how)
        elif what in {"forget", "confirm"} and brought:
            ledger.command(what, _at(brought, how))
        elif what == "undo" and turns:
            ledger.undo(_at(turns, how))
        elif what == "edit" and turns:
            _edit(ledger, _at(turns, how))
        elif what == "link" and brought:
            turn, rule, relation = how
            ledger.link(_at(turns, turn), _at(brought, rule), relation)
    return ledger


def _worded(label: Label, secret: str) -> Label:
    return label.model_copy(
        update={"statement": f"{secret} as stated", "quote": (f"{secret} as said",)}
    )


def _edit(ledger: Ledger, turn: TurnEntry) -> None:
    """The turn said otherwise: its labels the other way round."""
    edited = turn.labels.labels[::-1]
    entry = ledger.say(
        *edited,
        id=turn.turn,
        at=turn.said_at,
        index=turn.index,
        context=turn.context,
        reacts_to=turn.reacts_to,
    )
    ledger.now = max(each.recorded_at for each in ledger.entries)
    ledger.entries[-1] = entry.model_copy(update={"recorded_at": ledger.now})


_PAIRS = list(combinations(SLOTS, 2))


def ledgers() -> st.SearchStrategy[Ledger]:
    """A ledger of up to ten steps, most of its labels in the same one or two slots."""
    return (
        st.sampled_from(_PAIRS)
        .flatmap(lambda slots: st.lists(steps(labels(slots=slots)), max_size=10))
        .map(built)
    )


def arrived(entries: Sequence[LedgerEntry], order: Sequence[float]) -> list[LedgerEntry]:
    """The entries in another order of arrival; what speaks of a turn still comes after it."""
    keys: dict[int, float] = {}
    of_turn: dict[str, float] = {}
    for place, entry in enumerate(entries):
        key = order[place % len(order)] if order else 0.0
        turn = getattr(entry, "turn", None)
        if turn is not None:
            of_turn[turn] = key = max(key, of_turn.get(turn, 0.0))
        keys[id(entry)] = key
    return sorted(entries, key=lambda entry: keys[id(entry)])

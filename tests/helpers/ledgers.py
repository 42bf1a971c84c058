"""Ledgers for tests, one line a turn: what is said, what stands afterwards, what is in force."""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from henceforth.pipeline.core.fold import Folded, fold
from henceforth.pipeline.core.in_force import in_force
from henceforth.pipeline.core.reconcile.desk import rule_id
from henceforth.schemas.context import Context
from henceforth.schemas.dimensions import Registry, default_registry
from henceforth.schemas.ids import RuleId, TurnId
from henceforth.schemas.in_force import InForce
from henceforth.schemas.labels import Clarify, Intent, Label, NoneReason, Polarity, TurnLabels
from henceforth.schemas.ledger import (
    CommandEntry,
    EndEntry,
    EventEntry,
    LedgerEntry,
    LinkedBy,
    LinkEntry,
    Relation,
    TurnEntry,
    VoidEntry,
)
from henceforth.schemas.plan import Plan, Question
from henceforth.schemas.rule import Rule, State
from henceforth.schemas.turn import Reference

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
"""A Monday morning: when the first turn of a ledger is said."""

REGISTRY = default_registry()

HERE = Context(conversation="talk")
"""Where turns are said unless a test says otherwise: a chat, in no project."""

ELSEWHERE = Context(conversation="fresh")
"""A fresh session."""


def label(intent: Intent, slot: str, value: str, **fields: Any) -> Label:
    """A label for `dimension/target`, or for `dimension` alone; a value after `!` is to avoid.

    A value after `~` is lifted. Other fields are given as in JSON.
    """
    dimension, _, target = slot.partition("/")
    signs = {"!": Polarity.AVOID, "~": Polarity.LIFT}
    given = {
        "intent": intent,
        "dimension": dimension,
        "target": target or "replies",
        "value": value.lstrip("!~"),
        "polarity": signs.get(value[0], Polarity.DO),
    }
    return Label.model_validate(given | fields)


def durable(slot: str, value: str, **fields: Any) -> Label:
    return label(Intent.DURABLE, slot, value, **fields)


def once(slot: str, value: str, **fields: Any) -> Label:
    return label(Intent.THIS_TASK, slot, value, **fields)


def forget(slot: str, value: str = "any", **fields: Any) -> Label:
    return label(Intent.FORGET, slot, value, **fields)


def retire(slot: str, value: str = "any", **fields: Any) -> Label:
    return label(Intent.RETIRE, slot, value, **fields)


def inferred(slot: str, value: str, **fields: Any) -> Label:
    return label(Intent.INFERRED, slot, value, **fields)


def when(words: str, *tags: str) -> dict[str, Any]:
    """A condition: its words, and the tags of its one alternative."""
    return {"words": words, "tags": tags}


def shown(rule: Rule) -> str:
    """A rule in one line: `language/replies=en @repository shop ?client mail until 2026-03-06`."""
    sign = {Polarity.DO: "=", Polarity.AVOID: "=!", Polarity.LIFT: "=~"}[rule.polarity]
    parts = [f"{rule.slot}{sign}{rule.value}"]
    parts += [f"@{rule.scope}"] if rule.scope.names else []
    parts += [f"?{rule.condition.words}"] if rule.condition else []
    parts += [f"except {rule.exception.words}"] if rule.exception else []
    parts += [f"until {rule.until}"] if rule.until else []
    parts += [f"for this {rule.bound.span}"] if rule.bound else []
    return " ".join(parts)


def lines(rules: Iterable[Rule], *states: State) -> list[str]:
    """The rules in these states, active ones unless given, one line each, sorted."""
    wanted = states or (State.ACTIVE,)
    return sorted(shown(rule) for rule in rules if rule.state in wanted)


class Ledger:
    """A ledger under construction. Each entry is said a minute after the one before."""

    def __init__(self, *, registry: Registry = REGISTRY, signals: int = 2) -> None:
        self.entries: list[LedgerEntry] = []
        self.registry, self.signals = registry, signals
        self.now = NINE

    def say(
        self,
        *labels: Label,
        id: str | None = None,
        context: Context = HERE,
        at: datetime | None = None,
        index: int | None = None,
        reacts_to: str | None = None,
        references: Sequence[Reference] = (),
        clarify: Clarify | None = None,
    ) -> TurnEntry:
        """A turn with these labels; with none, a question to the assistant."""
        self._tick(at)
        place = len(self.entries) if index is None else index
        none = None if labels or clarify else NoneReason.QUESTION
        entry = TurnEntry(
            turn=TurnId(id or f"t{len(self.entries)}"),
            text_hash=f"sha256:{len(self.entries)}",
            said_at=self.now,
            index=place,
            context=context,
            reacts_to=reacts_to,
            references=tuple(references),
            labels=TurnLabels(labels=labels, none_reason=none, clarify=clarify),
            recorded_at=self.now,
        )
        self.entries.append(entry)
        return entry

    def link(
        self,
        turn: TurnEntry,
        rule: RuleId,
        relation: Relation,
        *,
        label: int = 0,
        by: LinkedBy = LinkedBy.USER,
    ) -> None:
        self._tick()
        self.entries.append(
            LinkEntry(
                turn=turn.turn,
                label=label,
                rule=rule,
                relation=relation,
                by=by,
                recorded_at=self.now,
            )
        )

    def undo(self, turn: TurnEntry) -> None:
        self._tick()
        self.entries.append(VoidEntry(turn=turn.turn, recorded_at=self.now))

    def command(self, command: str, rule: RuleId) -> None:
        self._tick()
        self.entries.append(
            CommandEntry.model_validate(
                {
                    "command": command,
                    "rule": rule,
                    "said_at": self.now,
                    "recorded_at": self.now,
                }
            )
        )

    def end(self, *, conversation: str | None = "talk", task: str | None = None) -> None:
        self._tick()
        self.entries.append(
            EndEntry(conversation=conversation, task=task, said_at=self.now, recorded_at=self.now)
        )

    def event(self, event: str) -> None:
        self._tick()
        self.entries.append(EventEntry(event=event, said_at=self.now, recorded_at=self.now))

    def _tick(self, at: datetime | None = None) -> None:
        self.now = at or self.now + timedelta(minutes=1)

    # --- What it comes to -----------------------------------------------------------

    def fold(self) -> Folded:
        return fold(self.entries, registry=self.registry, signals=self.signals)

    @property
    def rules(self) -> tuple[Rule, ...]:
        return self.fold().rules

    @property
    def questions(self) -> tuple[Question, ...]:
        return self.fold().questions

    def lines(self, *states: State) -> list[str]:
        return lines(self.rules, *states)

    def rule(self, turn: TurnEntry, label: int = 0) -> Rule:
        """The rule that a label brought."""
        return next(rule for rule in self.rules if rule.id == id_of(turn, label))

    def plan(self, turn: TurnEntry) -> Plan:
        """What a turn changed."""
        return next(plan for plan in self.fold().plans if plan.turn == turn.turn)

    def rows(self, turn: TurnEntry) -> list[str]:
        """The rows of the reconcile table that a turn's changes came from."""
        return [change.row for change in self.plan(turn).changes]

    def in_force(
        self,
        context: Context = ELSEWHERE,
        *,
        as_of: datetime | None = None,
        events: Collection[str] = (),
    ) -> InForce:
        return in_force(
            self.rules,
            context=context,
            as_of=as_of or self.now,
            events=events,
            registry=self.registry,
        )


def id_of(turn: TurnEntry, label: int = 0) -> RuleId:
    """The id of the rule that a label brings."""
    return rule_id(turn.turn, label)

"""What the host says outside a turn: forget or confirm a rule, end a task, an event. Pure."""

from collections.abc import Sequence

from ...schemas.ledger import CommandEntry, EndEntry, EventEntry
from ...schemas.plan import Change, Plan, Row
from ...schemas.rule import Provenance, Rule, State
from .values import words


def carry_out(
    entry: CommandEntry | EndEntry | EventEntry, rules: Sequence[Rule], *, version: int = 0
) -> Plan:
    """The plan of a command; empty when it changes nothing."""
    if isinstance(entry, CommandEntry):
        change = _command(entry, rules)
    elif isinstance(entry, EndEntry):
        ended = [rule for rule in rules if rule.state is State.ACTIVE and _ends(entry, rule)]
        change = _expired(Row.END_ONCE, ended, entry)
    else:
        passed = [rule for rule in rules if rule.state is State.ACTIVE and _waits(entry, rule)]
        change = _expired(Row.EXPIRE, passed, entry)
    return Plan(version=version, changes=(change,) if change else ())


def _command(entry: CommandEntry, rules: Sequence[Rule]) -> Change | None:
    rule = next((each for each in rules if each.id == entry.rule), None)
    if rule is None or rule.state not in {State.ACTIVE, State.PROPOSED}:
        return Change(row=Row.FORGET_NOTHING) if entry.command == "forget" else None
    if entry.command == "forget":
        gone = rule.model_copy(update={"state": State.FORGOTTEN, "ended_at": entry.recorded_at})
        return Change(row=Row.FORGET, rules=(gone,))
    stated = {"state": State.ACTIVE, "provenance": Provenance.STATED}
    return Change(row=Row.CONFIRM, rules=(rule.model_copy(update=stated),))


def _ends(entry: EndEntry, rule: Rule) -> bool:
    """Whether the rule is bound to what ends: the task, or the conversation with all its tasks."""
    bound = rule.bound
    if bound is None or entry.conversation is entry.task is None:
        return False
    if entry.conversation is not None and bound.conversation != entry.conversation:
        return False
    return entry.task is None or bound.task == entry.task


def _waits(entry: EventEntry, rule: Rule) -> bool:
    return isinstance(rule.until, str) and words(rule.until) == words(entry.event)


def _expired(row: Row, rules: Sequence[Rule], entry: EndEntry | EventEntry) -> Change | None:
    if not rules:
        return None
    gone = {"state": State.EXPIRED, "ended_at": entry.recorded_at}
    return Change(row=row, rules=tuple(rule.model_copy(update=gone) for rule in rules))

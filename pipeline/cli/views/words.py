"""Rules and labels in a few words, safe to show."""

from datetime import datetime

from rich.text import Text

from ....schemas.labels import Label, Polarity
from ....schemas.rule import Rule, State
from ....schemas.scope import Condition, Scope, Until
from ...core.render import plain

STYLES = {
    State.ACTIVE: "green",
    State.PROPOSED: "yellow",
    State.SUPERSEDED: "dim",
    State.FORGOTTEN: "dim",
    State.RETIRED: "dim",
    State.EXPIRED: "dim",
}

_MARKS = {Polarity.DO: "", Polarity.AVOID: "not ", Polarity.LIFT: "lifted: "}


_LONGEST = 600
"""Characters of one text that a table shows; `--json` shows all."""


def text(words: str, style: str = "") -> Text:
    """What somebody else wrote, on one line: no markup, no control characters, not endless."""
    shown, more = words[:_LONGEST], len(words) - _LONGEST
    rest = f" … (and {more} more characters)" if more > 0 else ""
    return Text(plain(shown) + rest, style=style)


def slot_and_value(of: Rule | Label) -> str:
    """`language/replies = zh`."""
    return f"{of.dimension}/{of.target} = {_MARKS[of.polarity]}{of.value}"


def when(time: datetime) -> str:
    """The time to the minute, in the zone it was said in."""
    return f"{time:%Y-%m-%d %H:%M}"


def limits_of_rule(rule: Rule) -> str:
    """Where and when a rule holds; `always` where nothing limits it."""
    parts = _limits(rule.scope, rule.condition, rule.exception, rule.until)
    if rule.bound is not None:
        name = rule.bound.task if rule.bound.span == "task" else rule.bound.conversation
        parts.append(f"this {rule.bound.span} only" + (f" ({name})" if name else ""))
    return "; ".join(parts) or "always"


def limits_of_label(label: Label) -> str:
    """Where and when the user said it holds; empty where the user said nothing of it."""
    scope = None if label.scope == "everywhere" else label.scope
    parts = ["everywhere"] if label.scope == "everywhere" else []
    parts += _limits(scope, label.condition, label.exception, label.until)
    parts += [f"this {label.span} only"] if label.span is not None else []
    return "; ".join(parts)


def _limits(
    scope: Scope | None,
    condition: Condition | None,
    exception: Condition | None,
    until: Until | None,
) -> list[str]:
    named = [f"{kind} {name}" for kind, name in scope.names.items()] if scope else []
    when = [f"when: {condition.words}"] if condition else []
    unless = [f"except: {exception.words}"] if exception else []
    last = [f"until: {until}"] if until else []
    return [*named, *when, *unless, *last]

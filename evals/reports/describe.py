"""Labels in one line each, for people: what was wanted, what came, what it changed."""

from collections.abc import Iterable, Sequence

from ...schemas.labels import Label, Polarity, TurnLabels
from ...schemas.plan import Change, Plan
from ...schemas.scope import Scope
from ..behaviour.answers import Answered
from ..data.wanted import Field, Unit, Wanted
from .report import TurnDetail


def described(label: Label) -> str:
    """`durable · language/replies = en · repository shop · when writing mail`."""
    value = {Polarity.AVOID: "not ", Polarity.LIFT: "need not "}.get(label.polarity, "")
    parts = [label.intent, f"{label.dimension}/{label.target} = {value}{label.value}"]
    if isinstance(label.scope, Scope):
        parts.append(str(label.scope))
    if label.condition:
        parts.append(f"when {label.condition.words}")
    if label.exception:
        parts.append(f"except {label.exception.words}")
    if label.until:
        parts.append(f"until {label.until}")
    if label.revises:
        parts.append(f"revises ({label.revises})")
    return " · ".join(parts)


def wanted_line(wanted: Wanted) -> str:
    """The same for a wanted label, with all that counts as right."""
    fields = (wanted.intent, wanted.dimension, wanted.scope)
    words = wanted.meant.texts[0] if wanted.meant.texts else wanted.meant.value or ""
    return " · ".join([*(_field(each) for each in fields), words])


def _field(field: Field) -> str:
    others = sorted(field.accepted - {field.right})
    return field.right + (f" (or {', '.join(others)})" if others else "")


def answer_lines(answer: TurnLabels | None) -> tuple[str, ...]:
    """What a labeller said, one line a label; or why there is none."""
    if answer is None:
        return ("could not label",)
    if answer.labels:
        return tuple(described(label) for label in answer.labels)
    if answer.clarify:
        return (f"asks: {answer.clarify.question}",)
    return (f"none: {answer.none_reason}",)


def rows_of(plan: Plan | None) -> tuple[str, ...]:
    """The rows of the reconcile table that the labels of a turn came to."""
    return tuple(_change(change) for change in plan.changes) if plan else ()


def _change(change: Change) -> str:
    rules = ", ".join(f"{rule.statement or rule.value} [{rule.state}]" for rule in change.rules)
    return f"{change.row}: {rules}" if rules else f"{change.row}"


def turn_detail(
    unit: Unit, answered: Answered | None, *, right: bool, plan: Plan | None = None
) -> TurnDetail:
    """One turn of a failure."""
    answer = answered.labels if answered else None
    labels: Sequence[Label] = answer.labels if answer else ()
    return TurnDetail(
        unit=unit.id,
        text=_shortened(unit.turn.text),
        wanted=tuple(wanted_line(each) for each in unit.wanted) or ("none",),
        got=answer_lines(answer),
        quotes=tuple(_joined(label.quote) for label in labels),
        rows=rows_of(plan),
        right=right,
        error=answered.error if answered else "not run",
    )


def _joined(quotes: Iterable[str]) -> str:
    return " … ".join(quotes)


_LONGEST = 600


def _shortened(text: str) -> str:
    """A long paste by its two ends: the instruction is usually at one of them."""
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]}\n[… {len(text) - _LONGEST} characters …]\n{text[-half:]}"

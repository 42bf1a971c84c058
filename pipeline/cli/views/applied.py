"""What applying a transcript came to: the turns that mattered, and the counts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ....schemas.outcome import Outcome, Status
from ...transcripts.lines import Fault
from ...transcripts.observing import Observed
from .outcome import why_none
from .tables import Cell, filled
from .words import slot_and_value, text

_QUIET = {Status.SEEN, Status.NONE}


def applied_view(done: Sequence[Observed], faults: Sequence[Fault]) -> Iterator[RenderableType]:
    """The turns that changed something, ask something or wait, then how many there were."""
    rows: list[list[Cell]] = [
        [text(str(each.turn.id)), text(each.subject), each.outcome.status, _what(each.outcome)]
        for each in done
        if each.outcome.status not in _QUIET
    ]
    if rows:
        yield filled("Turns", ("turn", "subject", "status", "what it changed"), rows)
    yield Text(_summary(done, faults))


def applied_json(done: Sequence[Observed], faults: Sequence[Fault]) -> dict[str, Any]:
    """The same for programs: every outcome, every rejected line, and the counts."""
    return {
        "turns": [
            {"subject": each.subject, **each.outcome.model_dump(mode="json")} for each in done
        ],
        "rejected": [
            {"file": each.place.file, "line": each.place.number, "why": each.why} for each in faults
        ],
        "counts": counts(done, faults),
    }


def counts(done: Sequence[Observed], faults: Sequence[Fault]) -> dict[str, int]:
    """How many turns had which status, and how many lines were rejected."""
    found = Counter(each.outcome.status.value for each in done)
    listed = (Status.LABELLED, Status.NONE, Status.CLARIFY, Status.PENDING, Status.SEEN)
    return {
        "turns": len(done),
        **{each.value: found[each.value] for each in listed},
        "rejected": len(faults),
    }


def _what(outcome: Outcome) -> Text:
    if outcome.changes:
        return text(
            ", ".join(
                f"{change.row}: {'; '.join(slot_and_value(rule) for rule in change.rules)}"
                if change.rules
                else change.row
                for change in outcome.changes
            )
        )
    return text(outcome.pending or why_none(outcome.labels))


def _summary(done: Sequence[Observed], faults: Sequence[Fault]) -> str:
    found = counts(done, faults)
    total = found.pop("turns")
    parts = [f"{count} {name}" for name, count in found.items() if count]
    turns = "1 turn" if total == 1 else f"{total} turns"
    return f"{turns}: {', '.join(parts)}." if parts else "No user turns."

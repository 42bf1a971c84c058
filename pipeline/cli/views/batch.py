"""Reports on label sets and differences between two, as tables."""

from collections import Counter
from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from ...batch.differing import Differences
from ...batch.page import CHARTS, figures
from ...batch.tally import Tally
from .tables import Cell, filled
from .words import text


def report_view(counted: Tally) -> Iterator[RenderableType]:
    """The figures, then a table for each thing that is counted."""
    yield filled(
        "Label set",
        ("what", "how many"),
        [(text(name), text(value)) for name, value in figures(counted)],
    )
    for title, field in CHARTS:
        counter = getattr(counted, field)
        if counter:
            yield filled(title, (title.lower(), "how many", "share"), _rows(counter))
    if counted.most_asked:
        rows = [(text(each.subject), str(each.questions)) for each in counted.most_asked]
        yield filled("Most questions to ask", ("subject", "questions"), rows)


def _rows(counter: Counter[str]) -> list[list[Cell]]:
    total = counter.total()
    return [[text(name), f"{count:,}", f"{count / total:.1%}"] for name, count in ordered(counter)]


def ordered(counter: Counter[str]) -> list[tuple[str, int]]:
    """The most frequent first, equals by name."""
    return sorted(counter.items(), key=lambda each: (-each[1], each[0]))


def differences_view(found: Differences) -> Iterator[RenderableType]:
    """What moved, then examples of turns and rules."""
    yield Text(f"A: {', '.join(found.a) or 'code'}\nB: {', '.join(found.b) or 'code'}")
    same = found.same / found.both if found.both else 1.0
    yield Text(
        f"{found.both:,} turns in both, {found.same:,} ({same:.1%}) labelled the same; "
        f"{found.only_a:,} only in A, {found.only_b:,} only in B."
    )
    yield Text(
        f"Rules in force: {found.rules_a:,} after A, {found.rules_b:,} after B, "
        f"{found.rules_both:,} after both."
    )
    if found.moved:
        yield filled("From A to B", ("change", "turns", "share"), _rows(found.moved))
    if found.turns:
        rows = [
            (text(each.turn), text("; ".join(each.a)), text("; ".join(each.b)))
            for each in found.turns
        ]
        yield filled("Turns", ("turn", "A", "B"), rows)
    if found.rules:
        rules = [
            (text(each.subject), each.only_in.upper(), text(each.rule)) for each in found.rules
        ]
        yield filled("Rules in force after one only", ("subject", "after", "rule"), rules)

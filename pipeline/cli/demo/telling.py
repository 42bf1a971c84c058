"""The demo as it is read: each turn with its labels, its changes, and the rules afterwards."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ....schemas.in_force import InForce
from ..views.outcome import changes_table, headline, labels_table
from ..views.words import limits_of_rule, slot_and_value, text
from .playing import Played
from .sequence import Wanted, is_exactly


def played_view(number: int, played: Played) -> Iterator[RenderableType]:
    """One turn: what it says, what it changes, what holds afterwards, here and elsewhere."""
    outcome, step = played.outcome, played.step
    yield Text()
    yield text(f"{number}. “{step.text}”", "bold")
    if outcome.labels is not None and outcome.labels.labels:
        yield labels_table(outcome.labels.labels)
    else:
        yield headline(outcome)
    if outcome.changes:
        yield changes_table(outcome.changes)
    yield Text("In force in a fresh session", "bold")
    yield from _held(played.found, step.in_force)
    for probe, found in played.probed:
        yield text(f"A fresh process, {probe.name}", "bold")
        yield from _held(found, probe.in_force)


def _held(found: InForce, wanted: Sequence[Wanted]) -> Iterator[Text]:
    for rule in found.rules:
        limits = limits_of_rule(rule)
        holds = f"  ({limits})" if limits != "always" else ""
        yield Text("  ") + text(f"{slot_and_value(rule)}{holds}")
    for lost in found.overridden:
        yield Text("  ") + text(f"{slot_and_value(lost.rule)} is overridden here", "dim")
    if not found.rules:
        yield Text("  none", "dim")
    if is_exactly(found.rules, wanted):
        yield Text("  ✓ exactly what must hold", "green")
    else:
        expected = "; ".join(str(each) for each in wanted)
        yield Text("  ") + text(f"✗ expected: {expected or 'none'}", "red")


def is_as_expected(played: Played) -> bool:
    """Whether all that was asked afterwards got exactly the rules that must hold."""
    asked = [(played.found, played.step.in_force)]
    asked += [(found, probe.in_force) for probe, found in played.probed]
    return all(is_exactly(found.rules, wanted) for found, wanted in asked)


def played_json(played: Played) -> dict[str, Any]:
    """The same for programs."""
    return {
        "text": played.step.text,
        "outcome": played.outcome.model_dump(mode="json"),
        "in_force": played.found.model_dump(mode="json"),
        "as_expected": is_exactly(played.found.rules, played.step.in_force),
        "probes": [
            {
                "name": probe.name,
                "in_force": found.model_dump(mode="json"),
                "as_expected": is_exactly(found.rules, probe.in_force),
            }
            for probe, found in played.probed
        ],
    }

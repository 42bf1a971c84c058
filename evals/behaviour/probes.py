"""Questions for fresh sessions: those of a probe file, and those that a case's rules suggest."""

import re
from collections.abc import Iterator, Sequence
from importlib.resources import as_file

from pydantic import Field

from ...schemas.base import Shape
from ...schemas.labels import Label, Polarity
from ..data.cases import Case, CaseContext, Check
from ..data.read import read_yaml, suites_folder
from ..data.timeline import Moment, fresh_session, moment_of
from .checkers import Checks


class Probe(Shape):
    """One question in a fresh session.

    Attributes:
        after_turn: The last turn that has been said; -1 is before all of them.
        question: What is put to the answering model; without one only delivery is judged.
        delivered: Rules that must be in the block, by the texts of the case.
        not_delivered: Rules that must not be.
        checks: What must be true of the answer.
    """

    id: str
    after_turn: int | None = None
    context: CaseContext | None = None
    question: str | None = None
    delivered: tuple[str, ...] = ()
    not_delivered: tuple[str, ...] = ()
    checks: Checks = Checks()


class ProbeFile(Shape):
    """The probes of one case."""

    case: str
    probes: tuple[Probe, ...] = Field(min_length=1)


ORDINARY = "What is a database index, and when does it help?"
"""The ordinary question, where a case brings none of its own."""


def probes_of(case: Case) -> tuple[Probe, ...]:
    """The probes of a case: its own where it has some, else one that its rules suggest."""
    own = _own_probes().get(case.id)
    return own or tuple(_suggested(case))


def _own_probes() -> dict[str, tuple[Probe, ...]]:
    folder = suites_folder().joinpath("probes")
    found: dict[str, tuple[Probe, ...]] = {}
    for each in folder.iterdir():
        if each.name.endswith(".yaml"):
            with as_file(each) as path:
                read = read_yaml(path, ProbeFile)
            found[read.case] = read.probes
    return found


def _suggested(case: Case) -> Iterator[Probe]:
    """One ordinary question after the transcript, checked by what its rules let code check."""
    if not case.in_force_after and not case.not_in_force_after:
        return
    held = [gold.label for gold in case.labels or () if gold.text in case.in_force_after]
    checks = Checks.model_validate(_checks(held))
    yield Probe(
        id=f"{case.id}/ordinary",
        question=ORDINARY if checks.any_set else None,
        delivered=case.in_force_after,
        not_delivered=case.not_in_force_after,
        checks=checks,
    )


def _checks(labels: Sequence[Label]) -> dict[str, object]:
    """What code can check of an answer to an ordinary question."""
    found: dict[str, object] = {}
    for label in labels:
        if label.condition is None and label.exception is None:
            found.update(_check(label))
    return found


def _check(label: Label) -> dict[str, object]:
    do = label.polarity is Polarity.DO
    if label.dimension == "language" and label.target == "replies" and do:
        return {"language": label.value}
    if label.dimension == "length":
        return _length(label.value)
    flags = {"emoji": "emoji", "tables": "tables", "headings": "headings", "lists": "lists"}
    name = flags.get(label.target)
    # A wanted table or heading has no place in every answer; a banned one has none in any.
    return {name: False} if name and (not do or label.value == "off") else {}


def _length(value: str) -> dict[str, object]:
    limit = re.fullmatch(r"max[- ](\d+)[- ](word|line|sentence)s?", value)
    if limit:
        return {f"max_{limit[2]}s": int(limit[1])}
    return {"max_words": 150} if value in {"concise", "short", "terse", "brief"} else {}


def moment_for(case: Case, probe: Probe) -> Moment:
    """When and where the probe asks."""
    if probe.context is None and probe.after_turn is None:
        return fresh_session(case)
    at = probe.after_turn
    through = max(at, 0) if at is not None else None
    moment = moment_of(case, Check(after_turn=through, context=probe.context))
    return moment.model_copy(update={"through": at})

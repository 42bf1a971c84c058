"""Two label sets side by side: which turns differ, and which rules would."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import Field

from ...schemas.base import Shape
from ...schemas.ids import SubjectId, TurnId
from ...schemas.labels import Label
from ...schemas.ledger import TurnEntry
from ...schemas.rule import Rule, State
from .folding import Terms, in_order, planned
from .label_files import deal
from .parts import by_subject
from .row import LabelRow

SHOWN = 50
"""How many differing turns and rules are kept as examples; all are counted."""


class TurnDifference(Shape):
    """A turn that the two sets label differently, each side in one line."""

    subject: SubjectId
    turn: TurnId
    a: tuple[str, ...]
    b: tuple[str, ...]


class RuleDifference(Shape):
    """A rule in force after one set and not after the other."""

    subject: SubjectId
    only_in: str
    rule: str


class Differences(Shape):
    """Set A against set B.

    Attributes:
        both: Turns that both have.
        same: Those of them with the same labels: intent, slot, value, polarity, scope.
        moved: Pairs of what a turn is in A and in B, counted, such as `none → durable`.
        rules_a: Rules in force after A; `rules_both` those in force after both.
    """

    a: tuple[str, ...] = ()
    b: tuple[str, ...] = ()
    both: int = 0
    only_a: int = 0
    only_b: int = 0
    same: int = 0
    moved: Counter[str] = Field(default_factory=Counter[str])
    rules_a: int = 0
    rules_b: int = 0
    rules_both: int = 0
    turns: tuple[TurnDifference, ...] = ()
    rules: tuple[RuleDifference, ...] = ()


def compare(a: Path, b: Path, terms: Terms) -> Differences:
    """Compare two label files.

    Raises:
        NoLabelFileError: If one of them is no label file.
    """
    with TemporaryDirectory(prefix="henceforth-") as scratch:
        folders = [Path(scratch) / name for name in "ab"]
        for folder in folders:
            folder.mkdir()
        parts = [deal([path], folder) for path, folder in zip((a, b), folders, strict=True)]
        comparing = _Comparing(terms)
        for part_a, part_b in zip(*parts, strict=True):
            rows_a, rows_b = dict(by_subject(part_a)), dict(by_subject(part_b))
            for subject in sorted(rows_a.keys() | rows_b.keys()):
                comparing.add(subject, rows_a.get(subject, []), rows_b.get(subject, []))
    return comparing.found()


class _Comparing:
    """Compares subject by subject, and keeps count."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._counts: Counter[str] = Counter()
        self._moved: Counter[str] = Counter()
        self._by: dict[str, set[str]] = {"a": set(), "b": set()}
        self._turns: list[TurnDifference] = []
        self._rules: list[RuleDifference] = []

    def add(self, subject: SubjectId, a: Sequence[LabelRow], b: Sequence[LabelRow]) -> None:
        sides = {"a": in_order(a), "b": in_order(b)}
        for side, entries in sides.items():
            labelled = [each.labelled_by for each in entries if each.labelled_by]
            self._by[side] |= {f"{by.model} {by.prompt}" for by in labelled if by.model != "code"}
        by_turn = [{entry.turn: entry for entry in entries} for entries in sides.values()]
        both = by_turn[0].keys() & by_turn[1].keys()
        self._counts["only_a"] += len(by_turn[0]) - len(both)
        self._counts["only_b"] += len(by_turn[1]) - len(both)
        for turn in (entry.turn for entry in sides["a"] if entry.turn in both):
            self._compare(subject, by_turn[0][turn], by_turn[1][turn])
        self._compare_rules(subject, sides["a"], sides["b"])

    def _compare(self, subject: SubjectId, a: TurnEntry, b: TurnEntry) -> None:
        self._counts["both"] += 1
        said_a, said_b = _said(a), _said(b)
        if said_a == said_b:
            self._counts["same"] += 1
            return
        self._moved[f"{_kind(a)} → {_kind(b)}"] += 1
        if len(self._turns) < SHOWN:
            self._turns.append(TurnDifference(subject=subject, turn=a.turn, a=said_a, b=said_b))

    def _compare_rules(
        self, subject: SubjectId, a: Iterable[TurnEntry], b: Iterable[TurnEntry]
    ) -> None:
        in_a, in_b = (_in_force(planned(side, self._terms)[1].rules) for side in (a, b))
        self._counts["rules_a"] += sum(in_a.values())
        self._counts["rules_b"] += sum(in_b.values())
        self._counts["rules_both"] += sum((in_a & in_b).values())
        for only_in, rules in (("a", in_a - in_b), ("b", in_b - in_a)):
            self._rules += [
                RuleDifference(subject=subject, only_in=only_in, rule=rule)
                for rule in sorted(rules)[: SHOWN - len(self._rules)]
            ]

    def found(self) -> Differences:
        return Differences(
            a=tuple(sorted(self._by["a"])),
            b=tuple(sorted(self._by["b"])),
            moved=self._moved,
            turns=tuple(self._turns),
            rules=tuple(self._rules),
            both=self._counts["both"],
            only_a=self._counts["only_a"],
            only_b=self._counts["only_b"],
            same=self._counts["same"],
            rules_a=self._counts["rules_a"],
            rules_b=self._counts["rules_b"],
            rules_both=self._counts["rules_both"],
        )


def _said(entry: TurnEntry) -> tuple[str, ...]:
    """What the turn says, as far as it matters: a reworded statement is no difference."""
    labels = entry.labels
    if labels.labels:
        return tuple(sorted(map(_label, labels.labels)))
    return ("clarify",) if labels.clarify else ("none",)


def _label(label: Label) -> str:
    where = f" in {label.scope}" if label.scope is not None else ""
    when = f" when {label.condition.words}" if label.condition else ""
    slot = f"{label.dimension}/{label.target}"
    return f"{label.intent.value} {slot} {label.polarity.value} {label.value}{where}{when}"


def _kind(entry: TurnEntry) -> str:
    labels = entry.labels
    if labels.labels:
        return " + ".join(sorted({label.intent.value for label in labels.labels}))
    return "clarify" if labels.clarify else "none"


def _in_force(rules: Iterable[Rule]) -> Counter[str]:
    return Counter(
        _rule(rule) for rule in rules if rule.state is State.ACTIVE and rule.bound is None
    )


def _rule(rule: Rule) -> str:
    when = f" when {rule.condition.words}" if rule.condition else ""
    return f"{rule.slot} {rule.polarity.value} {rule.value} ({rule.scope}){when}"

"""The working table while one turn is reconciled: rules as they were and are, changes so far."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from ....schemas.context import Context
from ....schemas.dimensions import Registry
from ....schemas.ids import QuestionId, RuleId, TurnId
from ....schemas.labels import Label, Revises
from ....schemas.ledger import LinkedBy, LinkEntry, Relation, TurnEntry
from ....schemas.plan import Ask, Change, Question, Row
from ....schemas.rule import Bound, Evidence, Provenance, Review, Rule, State
from ....schemas.scope import EVERYWHERE, PERMANENT, Condition, Scope, Until
from ..conflict import Standing, same_slot, standing
from ..scope import Fit, Verdict, combine, condition_fit, covers, fit, has_passed, verdict
from ..values import words

_OPEN = {State.ACTIVE, State.PROPOSED}


@lru_cache(maxsize=4096)
def rule_id(turn: TurnId, label: int) -> RuleId:
    """The id of the rule that a label brings: always the same for the same label."""
    return RuleId("r" + sha256(f"{turn}#{label}".encode()).hexdigest()[:10])


class Desk:
    """All that one `reconcile` reads and writes; it does not outlive the call."""

    def __init__(
        self,
        *,
        entry: TurnEntry,
        rules: Sequence[Rule],
        registry: Registry,
        links: Sequence[LinkEntry],
        signals: int,
    ) -> None:
        self.entry = entry
        # In said order, so that no choice depends on the order the store gives them in.
        self.before = sorted(filter(is_open, rules), key=_first_said)
        self.open = {rule.id: rule for rule in self.before}
        self.now = {rule.id: rule for rule in rules}
        self.registry = registry
        self.links = links
        self.signals = signals
        self.changes: list[Change] = []
        self.questions: list[Question] = []

    def seat(self, index: int, label: Label) -> "Seat":
        """The desk as seen from one label, its dimension set by the registry."""
        dimension = self.registry.dimension_of(label.dimension, label.target)
        links = tuple(
            link for link in self.links if link.label == index and link.turn == self.entry.turn
        )
        return Seat(self, index, label.model_copy(update={"dimension": dimension}), links)

    def ask_to_clarify(self) -> None:
        """Ask what the labeller could not decide; nothing is written."""
        clarify = self.entry.labels.clarify
        if clarify is not None:
            self.ask(Ask.CLARIFY, 0, clarify.question, ())

    def ask(self, ask: Ask, label: int, said: str, candidates: Sequence[RuleId]) -> None:
        """Put a question that only the user can answer."""
        self.questions.append(
            Question(
                id=QuestionId(f"{ask}-{rule_id(self.entry.turn, label)}"),
                ask=ask,
                turn=self.entry.turn,
                label=label,
                words=said,
                candidates=tuple(candidates),
            )
        )


@dataclass(frozen=True)
class Seat:
    """One label at the desk: what it finds, and what it writes."""

    desk: Desk
    index: int
    label: Label
    links: tuple[LinkEntry, ...]

    @property
    def rule_id(self) -> RuleId:
        """The id of the rule this label brings, if it brings one."""
        return rule_id(self.desk.entry.turn, self.index)

    @property
    def context(self) -> Context:
        """Where the turn was said."""
        return self.desk.entry.context

    @property
    def said_scope(self) -> Scope | None:
        """The scope the user named; None when they named none."""
        return EVERYWHERE if self.label.scope == "everywhere" else self._named_scope

    @property
    def said_until(self) -> Until | None:
        """The end the user named; None also where they say that there is none."""
        return None if self.label.until == PERMANENT else self.label.until

    @property
    def _named_scope(self) -> Scope | None:
        return self.label.scope if isinstance(self.label.scope, Scope) else None

    def rules(self, keep: Callable[[Rule], bool]) -> Iterator[Rule]:
        """The rules as they are by now that pass the test."""
        return (rule for rule in tuple(self.desk.now.values()) if keep(rule))

    def lasting(self) -> Iterator[Rule]:
        """The rules that stand by now, and are not bound to one task or conversation."""
        return (each for each in self.open() if each.bound is None and self.is_running(each))

    def proposals(self) -> Iterator[Rule]:
        """The inferred rules that wait for confirmation."""
        return (each for each in self.open() if each.state is State.PROPOSED)

    def open(self) -> tuple[Rule, ...]:
        """The rules that are active or proposed by now."""
        return tuple(self.desk.open.values())

    def is_running(self, rule: Rule) -> bool:
        """Whether the rule is active, and its last day not over when the turn is said."""
        return rule.state is State.ACTIVE and not self.is_over(rule)

    def is_over(self, rule: Rule) -> bool:
        """Whether the last day of the rule had passed when the turn was said."""
        return rule.until is not None and has_passed(rule.until, self.desk.entry.said_at, ())

    def holds_here(self, rule: Rule) -> bool:
        """Whether the rule holds where the turn is said, as far as the context tells."""
        return (
            covers(rule.scope, self.context)
            and verdict(rule.condition, self.context) is not Verdict.DOES_NOT_APPLY
        )

    def linked(self, relation: Relation) -> tuple[Rule, ...]:
        """The open rules that the latest link on each says stand so to this label."""
        latest: dict[RuleId, Relation] = {}
        for link in self.links:
            latest.pop(link.rule, None)  # the latest word on a rule is the latest in order too
            latest[link.rule] = link.relation
        linked = (self.desk.now.get(rule) for rule, each in latest.items() if each is relation)
        return tuple(rule for rule in linked if rule is not None and is_open(rule))

    def pinned(self, relation: Relation) -> set[RuleId]:
        """The rules that a redaction left a link to, which says so of the label."""
        return {
            link.rule
            for link in self.links
            if link.by is LinkedBy.REDACTION and link.relation is relation
        }

    @property
    def is_pinned(self) -> bool:
        """Whether its words are redacted, and links hold all that they decided."""
        return any(link.by is LinkedBy.REDACTION for link in self.links)

    @property
    def is_idle(self) -> bool:
        """Whether redaction left a link that the label brought no rule."""
        return self.rule_id in self.pinned(Relation.BESIDE)

    def standing(self, rule: Rule) -> Standing:
        """How the label stands to the rule, wherever and whenever both hold."""
        return standing(self.label, rule, self.desk.registry)

    def fit(self, rule: Rule, scope: Scope, condition: Condition | None) -> Fit:
        """How a scope and condition of the label stand to those of the rule."""
        return combine(fit(scope, rule.scope), self.fit_of(condition, rule))

    def fit_of(self, condition: Condition | None, rule: Rule) -> Fit:
        """How a condition of the label stands to the rule's.

        Where the speaker has told two conditions apart under the same tags, the words decide.
        """
        if condition is None or rule.condition is None or _same_words(condition, rule.condition):
            return condition_fit(condition, rule.condition)
        told_apart = self._is_told_apart(rule, rule.condition)
        return Fit.INCOMPARABLE if told_apart else condition_fit(condition, rule.condition)

    def _is_told_apart(self, rule: Rule, condition: Condition) -> bool:
        """Whether the rule is of this turn, or shares its slot and tags with one in other words."""
        return rule.said_last.turn == self.desk.entry.turn or any(
            each.condition is not None
            and each.condition.tags == condition.tags
            and not _same_words(each.condition, condition)
            and same_slot(each, rule, self.desk.registry)
            for each in self.lasting()
        )

    @property
    def evidence(self) -> Evidence:
        """This label as evidence."""
        entry = self.desk.entry
        return Evidence(
            turn=entry.turn,
            index=entry.index,
            label=self.index,
            quote=self.label.quote,
            said_at=entry.said_at,
            reacts_to=entry.reacts_to,
            references=entry.references,
        )

    def new_rule(
        self,
        *,
        scope: Scope | None = None,
        condition: Condition | None = None,
        exception: Condition | None = None,
        until: Until | None = None,
        bound: Bound | None = None,
        state: State = State.ACTIVE,
        provenance: Provenance = Provenance.STATED,
        review: Review | None = None,
    ) -> Rule:
        """The rule that this label brings, where nothing else is said in force everywhere."""
        label, entry = self.label, self.desk.entry
        return Rule(
            id=self.rule_id,
            kind=label.kind,
            dimension=label.dimension,
            target=label.target,
            value=label.value,
            polarity=label.polarity,
            statement=label.statement,
            scope=scope or self.said_scope or EVERYWHERE,
            condition=condition or label.condition,
            exception=exception or label.exception,
            until=until or self.said_until,
            bound=bound,
            state=state,
            provenance=provenance,
            review=review,
            evidence=(self.evidence,),
            recorded_at=entry.recorded_at,
            labelled_by=entry.labelled_by,
        )

    def write(self, row: Row, *rules: Rule) -> None:
        """Put the rules down as they are now, under the row of the table that says so."""
        self.desk.now.update({rule.id: rule for rule in rules})
        self.desk.open.update({rule.id: rule for rule in rules})
        self.desk.open = {id: rule for id, rule in self.desk.open.items() if is_open(rule)}
        self.desk.changes.append(Change(row=row, label=self.index, rules=rules))

    def reinforce(self, rule: Rule, row: Row = Row.REINFORCE) -> None:
        """Add this label to the rule's evidence, once."""
        self.write(row, self.with_evidence(rule))

    def with_evidence(self, rule: Rule) -> Rule:
        """The rule with this label as evidence, once."""
        told = {(each.turn, each.label) for each in rule.evidence}
        if (self.evidence.turn, self.index) in told:
            return rule
        return rule.model_copy(update={"evidence": (*rule.evidence, self.evidence)})

    def supersede(self, row: Row, rule: Rule, gone: Sequence[Rule]) -> None:
        """Write the rule in place of those gone, linked both ways."""
        after = {
            "superseded_by": rule.id,
            "corrected": self.label.revises is Revises.CORRECTION,
        }
        ended = [
            self._ended(each, State.SUPERSEDED).model_copy(update=after)
            for each in {each.id: each for each in gone}.values()
        ]
        ids = dict.fromkeys((*rule.supersedes, *(each.id for each in gone)))
        self.write(row, *ended, rule.model_copy(update={"supersedes": tuple(ids)}))

    def end(self, row: Row, state: State, gone: Sequence[Rule]) -> None:
        """Take the rules out of force."""
        self.write(row, *(self._ended(each, state) for each in gone))

    def _ended(self, rule: Rule, state: State) -> Rule:
        entry = self.desk.entry
        return rule.model_copy(
            update={"state": state, "ended_by": entry.turn, "ended_at": entry.recorded_at}
        )

    def ask(self, ask: Ask, candidates: Sequence[Rule]) -> None:
        """Ask what this label means for the candidates."""
        said = " … ".join(self.label.quote) or self.label.statement
        self.desk.ask(ask, self.index, said, [each.id for each in candidates])


def is_open(rule: Rule) -> bool:
    """Whether the rule is active or proposed."""
    return rule.state in _OPEN


def _first_said(rule: Rule) -> tuple[object, RuleId]:
    return (rule.evidence[0].position, rule.id)


def _same_words(one: Condition, other: Condition) -> bool:
    return words(one.words) == words(other.words)

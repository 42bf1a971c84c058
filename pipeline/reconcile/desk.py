"""The working table while one turn is reconciled: rules as they were and are, changes so far."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from ...schemas.context import Context
from ...schemas.dimensions import Registry
from ...schemas.ids import QuestionId, RuleId, TurnId
from ...schemas.labels import Label
from ...schemas.ledger import LinkEntry, Relation, TurnEntry
from ...schemas.plan import Ask, Change, Question, Row
from ...schemas.rule import Bound, Evidence, Provenance, Review, Rule, State
from ...schemas.scope import EVERYWHERE, PERMANENT, Condition, Scope
from ..conflict import Standing, standing
from ..scope import Fit, combine, condition_fit, fit
from ..values import words


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
        self.before = tuple(sorted(rules, key=lambda rule: (rule.evidence[0].position, rule.id)))
        self.now = {rule.id: rule for rule in self.before}
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
    def _named_scope(self) -> Scope | None:
        return self.label.scope if isinstance(self.label.scope, Scope) else None

    def rules(self, keep: Callable[[Rule], bool]) -> Iterator[Rule]:
        """The rules as they are by now that pass the test."""
        return (rule for rule in tuple(self.desk.now.values()) if keep(rule))

    def linked(self, relation: Relation) -> tuple[Rule, ...]:
        """The rules that a link says stand so to this label, and that there still are."""
        ids = [link.rule for link in self.links if link.relation is relation]
        return tuple(self.desk.now[each] for each in ids if each in self.desk.now)

    def standing(self, rule: Rule) -> Standing:
        """How the label stands to the rule, wherever and whenever both hold."""
        return standing(self.label, rule, self.desk.registry)

    def fit(self, rule: Rule, scope: Scope, condition: Condition | None) -> Fit:
        """How a scope and condition of the label stand to those of the rule."""
        return combine(fit(scope, rule.scope), self.fit_of(condition, rule))

    def fit_of(self, condition: Condition | None, rule: Rule) -> Fit:
        """How a condition of the label stands to the rule's.

        Within one turn, other words are another condition even under the same tags: the
        speaker has just told the two apart.
        """
        told_apart = (
            condition is not None
            and rule.condition is not None
            and rule.said_last.turn == self.desk.entry.turn
            and words(condition.words) != words(rule.condition.words)
        )
        return Fit.INCOMPARABLE if told_apart else condition_fit(condition, rule.condition)

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
            until=None if label.until == PERMANENT else label.until,
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
        self.desk.changes.append(Change(row=row, label=self.index, rules=rules))

    def reinforce(self, rule: Rule, row: Row = Row.REINFORCE) -> None:
        """Add this label to the rule's evidence, once."""
        told = any(
            each.turn == self.evidence.turn and each.label == self.index for each in rule.evidence
        )
        evidence = rule.evidence if told else (*rule.evidence, self.evidence)
        self.write(row, rule.model_copy(update={"evidence": evidence}))

    def supersede(self, row: Row, rule: Rule, gone: Sequence[Rule]) -> None:
        """Write the rule in place of those gone, linked both ways."""
        ended = [
            self._ended(each, State.SUPERSEDED).model_copy(update={"superseded_by": rule.id})
            for each in gone
        ]
        ids = (*rule.supersedes, *(each.id for each in gone if each.id not in rule.supersedes))
        self.write(row, *ended, rule.model_copy(update={"supersedes": ids}))

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


def is_standing(rule: Rule) -> bool:
    """Whether the rule is active and not bound to one task or conversation."""
    return rule.state is State.ACTIVE and rule.bound is None


def is_proposal(rule: Rule) -> bool:
    """Whether the rule is inferred and waits for confirmation."""
    return rule.state is State.PROPOSED

"""The word of the user or a model on a question, as ledger entries. Pure."""

from collections.abc import Collection, Mapping
from datetime import datetime

from ...schemas.ids import RuleId
from ...schemas.labels import Intent, NoneReason, TurnLabels
from ...schemas.ledger import LedgerEntry, LinkedBy, LinkEntry, Relation, TurnEntry
from ...schemas.plan import Ask, Question
from ..errors import UnfitAnswerError

_DEFAULT = {
    Ask.WHICH_RULE: Relation.SAME,
    Ask.WHICH_VALUE: Relation.REPLACES,
    Ask.UNSETTLED: Relation.SAME,
}
"""What it means that a candidate was chosen, where the user says no more."""


def links(
    question: Question,
    *,
    chosen: Collection[RuleId],
    relation: Relation | None,
    now: datetime,
) -> tuple[LedgerEntry, ...]:
    """One link a candidate: the chosen stand as said, the others beside.

    Raises:
        UnfitAnswerError: If a chosen rule is no candidate of the question.
    """
    strangers = [rule for rule in chosen if rule not in question.candidates]
    if strangers or question.ask is Ask.CLARIFY:
        raise UnfitAnswerError(question=question, given=tuple(strangers))
    meant = relation or _DEFAULT[question.ask]
    return tuple(
        LinkEntry(
            turn=question.turn,
            label=question.label,
            rule=rule,
            relation=meant if rule in chosen else Relation.BESIDE,
            by=LinkedBy.USER,
            recorded_at=now,
        )
        for rule in question.candidates
    )


def links_of_model(
    question: Question, relations: Mapping[RuleId, Relation], *, now: datetime
) -> tuple[LedgerEntry, ...]:
    """One link a candidate, as a model says."""
    return tuple(
        LinkEntry(
            turn=question.turn,
            label=question.label,
            rule=rule,
            relation=relations.get(rule, Relation.BESIDE),
            by=LinkedBy.MODEL,
            recorded_at=now,
        )
        for rule in question.candidates
    )


def clarified(
    question: Question, entry: TurnEntry, *, intent: Intent | None, now: datetime
) -> TurnEntry:
    """The turn with the label that was unclear, or with the reason that there is none.

    Raises:
        UnfitAnswerError: If the labeller left no label to complete: observe the user's answer
            as a turn of its own.
    """
    clarify = entry.labels.clarify
    if clarify is None or (intent is not None and clarify.label is None):
        raise UnfitAnswerError(question=question, given=())
    if intent is None or clarify.label is None:
        labels = TurnLabels(none_reason=NoneReason.DECLINED)
    else:
        # Built anew, so that the fields that belong to the intent are filled.
        kept = clarify.label.model_dump(exclude={"intent", "span", "reach"})
        label = type(clarify.label)(intent=intent, **kept)
        labels = TurnLabels(labels=(label,))
    return entry.model_copy(update={"labels": labels, "recorded_at": now})

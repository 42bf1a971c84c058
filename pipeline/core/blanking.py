"""Labels and ledger rows without the user's words. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from ...schemas.ids import RuleId
from ...schemas.labels import Label, Polarity, TurnLabels
from ...schemas.ledger import TurnEntry
from ...schemas.scope import PERMANENT, Condition
from ..labelling.folded import contains
from ..stores.protocol import Recorded
from .conflict import REDACTED, is_redacted, redacted
from .reconcile.desk import rule_id
from .values import words


class Token(NamedTuple):
    """What stands for the value of all the labels of one rule."""

    rule: RuleId
    value: str
    polarity: Polarity


def blank(label: Label, token: Token) -> Label:
    """The label without a word of the user's; its slot, scope names and intent stay.

    Conditions that were the same within the rule are the same afterwards, and no others.
    """
    return label.model_copy(
        update={
            "value": token.value,
            "polarity": token.polarity,
            "statement": "",
            "quote": (),
            "condition": _blank_condition(label.condition, token),
            "exception": _blank_condition(label.exception, token),
            "replaces": None,
            "until": REDACTED if _is_event(label.until) else label.until,
        }
    )


def _blank_condition(condition: Condition | None, token: Token) -> Condition | None:
    if condition is None or is_redacted(condition.words):
        return condition
    meant = str(condition.tags or words(condition.words))
    return Condition(words=redacted(token.rule, meant))


def _is_event(until: object) -> bool:
    return isinstance(until, str) and until != PERMANENT


def without_quotes(label: Label, telling: Iterable[str]) -> Label:
    """The label without the quotes that hold, or stand in, one of the texts."""
    texts = [text for text in telling if text.strip()]
    kept = tuple(
        quote
        for quote in label.quote
        if not any(contains(quote, text) or contains(text, quote) for text in texts)
    )
    return label if kept == label.quote else label.model_copy(update={"quote": kept})


def holds_text(entry: TurnEntry) -> bool:
    """Whether the turn still holds words of the user's, or of a question about them."""
    clarify = entry.labels.clarify
    asks = clarify is not None and clarify.question != REDACTED
    return asks or not all(is_redacted(label.value) for label in entry.labels.labels)


def emptied(row: Recorded, entry: TurnEntry) -> Recorded:
    """The row of a turn that counts no longer, without any text."""
    labels = entry.labels.labels
    blanked = tuple(
        blank(label, Token(rule, redacted(rule, ""), label.polarity))
        for label, rule in zip(labels, _rule_ids(entry), strict=True)
    )
    clarify = entry.labels.clarify
    kept = TurnLabels(
        labels=blanked,
        none_reason=entry.labels.none_reason,
        clarify=clarify and type(clarify)(question=REDACTED),
    )
    return Recorded(seq=row.seq, entry=entry.model_copy(update={"labels": kept}))


def _rule_ids(entry: TurnEntry) -> list[RuleId]:
    return [rule_id(entry.turn, index) for index in range(len(entry.labels.labels))]

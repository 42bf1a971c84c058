"""Keep of what the model says only what stands in the turn and may be stored. Pure."""

from collections.abc import Iterable, Sequence

from ..schemas.labels import Label, NoneReason, TurnLabels
from ..schemas.outcome import Dropped
from ..schemas.turn import Turn
from .quotes import QuoteCheck, Quoted, Refusal
from .reading import Read


def checked(answers: Sequence[Read], turn: Turn) -> tuple[TurnLabels, tuple[Dropped, ...]]:
    """The labels of a turn from the answers for all its windows, in the order they were said."""
    private = [span for answer in answers for span in answer.private]
    quotes = QuoteCheck(turn, private)
    kept: list[Quoted] = []
    dropped: list[Dropped] = []
    for label in (label for answer in answers for label in answer.labels):
        found = quotes.check(label)
        if isinstance(found, Refusal):
            dropped.append(Dropped(label=label, why=found.value))
        else:
            kept.append(found)
    labels = [each.label for each in sorted(kept, key=lambda each: each.start)]
    return _outcome(labels, answers, dropped), tuple(dropped)


def _outcome(
    labels: Sequence[Label], answers: Sequence[Read], dropped: Sequence[Dropped]
) -> TurnLabels:
    if labels:
        return TurnLabels(labels=tuple(labels))
    asked = next((answer.clarify for answer in answers if answer.clarify), None)
    if asked is not None:
        return TurnLabels(clarify=asked)
    return TurnLabels(none_reason=_reason(answers, dropped))


def _reason(answers: Iterable[Read], dropped: Sequence[Dropped]) -> NoneReason:
    """Why there are no labels: what the check found comes before what the model said."""
    refusals = {each.why for each in dropped}
    if Refusal.NOT_TO_SAVE in refusals:
        return NoneReason.NO_SAVE_REQUESTED
    if Refusal.ONLY_QUOTED in refusals:
        return NoneReason.QUOTED_TEXT
    said = [reason for answer in answers for reason in answer.reasons]
    return said[0] if said else NoneReason.TASK_REQUEST

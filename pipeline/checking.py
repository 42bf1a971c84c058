"""Keep of what the model says only what stands in the turn and may be stored. Pure."""

from collections.abc import Callable, Iterable, Sequence

from ..schemas.labels import Label, NoneReason, TurnLabels
from ..schemas.outcome import Dropped
from ..schemas.turn import Turn
from .folded import find
from .quotes import QuoteCheck, Quoted, Refusal
from .reading import Read
from .secrets import PLACEHOLDER, cut, secrets_in
from .stored_text import question_with, with_texts

NOT_SAVED = "[not saved]"
"""What stands for words that the user asked not to keep."""


def checked(answers: Sequence[Read], turn: Turn) -> tuple[TurnLabels, tuple[Dropped, ...]]:
    """The labels of a turn from the answers for its windows, in the order they were said.

    Every label rests on the user's own words. What looks like a credential, and what the user
    asked not to keep, is in none of their texts.
    """
    private = [span for answer in answers for span in answer.private]
    quotes = QuoteCheck(turn, private)
    kept: list[Quoted] = []
    dropped: list[Dropped] = []
    for answer in answers:
        found = [(label, quotes.check(label)) for label in answer.labels]
        fresh = [each for _, each in found if isinstance(each, Quoted) and not _seen(each, kept)]
        dropped += [_dropped(label, why) for label, why in found if isinstance(why, Refusal)]
        kept += fresh
    clean = _cleaner(turn, private)
    in_order = [with_texts(each.label, clean) for each in sorted(kept, key=lambda it: it.start)]
    labels = [label for label in in_order if _says_something(label)]
    dropped += [_dropped(label, Refusal.SECRET) for label in in_order if label not in labels]
    return _outcome(labels, answers, dropped, clean), tuple(dropped)


def _dropped(label: Label, refusal: Refusal) -> Dropped:
    return Dropped(label=label, why=refusal.value)


def _seen(label: Quoted, earlier: Iterable[Quoted]) -> bool:
    """Whether an earlier window gave a label for the same part of the turn already."""
    return any(
        _slot(label.label) == _slot(other.label)
        and any(place.overlaps(its) for place in label.places for its in other.places)
        for other in earlier
    )


def _slot(label: Label) -> tuple[str, ...]:
    return (label.intent, label.dimension, label.target)


def _cleaner(turn: Turn, private: Sequence[str]) -> Callable[[str], str]:
    secrets = secrets_in("\n".join([*(each.text for each in turn.before), turn.text]))

    def clean(text: str) -> str:
        for span in private:
            for place in reversed(list(find(span, text))):
                text = text[: place.start] + NOT_SAVED + text[place.end :]
        return cut(text, secrets)

    return clean


def _says_something(label: Label) -> bool:
    """Whether the value is more than what was cut from it."""
    rest = label.value.replace(PLACEHOLDER, "").replace(NOT_SAVED, "")
    return any(character.isalnum() for character in rest)


def _outcome(
    labels: Sequence[Label],
    answers: Sequence[Read],
    dropped: Sequence[Dropped],
    clean: Callable[[str], str],
) -> TurnLabels:
    if labels:
        return TurnLabels(labels=tuple(labels))
    asked = next((answer.clarify for answer in answers if answer.clarify), None)
    if asked is not None:
        return TurnLabels(clarify=question_with(asked, clean))
    return TurnLabels(none_reason=_reason(answers, dropped))


def _reason(answers: Iterable[Read], dropped: Sequence[Dropped]) -> NoneReason:
    """Why there are no labels: what the check found comes before what the model said."""
    refusals = {each.why for each in dropped}
    found = next((reason for refusal, reason in _REASONS.items() if refusal in refusals), None)
    said = [reason for answer in answers for reason in answer.reasons]
    return found or next(iter(said), NoneReason.TASK_REQUEST)


_REASONS = {
    Refusal.NOT_TO_SAVE: NoneReason.NO_SAVE_REQUESTED,
    Refusal.ONLY_QUOTED: NoneReason.QUOTED_TEXT,
    Refusal.SECRET: NoneReason.STATEMENT_OF_FACT,
}

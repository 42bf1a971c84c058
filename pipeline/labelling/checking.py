"""Keep of what the model says only what stands in the turn and may be stored. Pure."""

from collections.abc import Callable, Iterable, Sequence

from ...schemas.labels import Label, NoneReason, TurnLabels
from ...schemas.outcome import Dropped
from ...schemas.turn import Turn
from .folded import contains, find, fold
from .quotes import QuoteCheck, Quoted, Refusal
from .reading import Read
from .secrets import PLACEHOLDER, cut, secrets_in
from .stored_text import question_with, with_texts

NOT_SAVED = "[not saved]"
"""What stands for words that the user asked not to keep."""

_TELLING = 12
"""Letters from which on a text that is a part of what must not be kept gives it away."""


def checked(answers: Sequence[Read], turn: Turn) -> tuple[TurnLabels, tuple[Dropped, ...]]:
    """The labels of a turn from the answers for its windows, in the order they were said.

    Every label rests on the user's own words. What looks like a credential, and what the user
    asked not to keep, is in none of their texts.
    """
    private = [span for answer in answers for span in answer.private]
    clean = _cleaner(turn, private)
    quotes = QuoteCheck(turn, private)
    kept: list[Quoted] = []
    dropped: list[Dropped] = []
    for answer in answers:
        earlier = tuple(kept)
        for label in answer.labels:
            found = _judged(label, quotes, clean, earlier, kept)
            if isinstance(found, Quoted):
                kept.append(found)
            else:
                hide = _hidden if found is Refusal.NOT_TO_SAVE else clean
                dropped.append(Dropped(label=with_texts(label, hide), why=found.value))
    labels = [each.label for each in sorted(kept, key=lambda each: each.start)]
    return _outcome(labels, answers, dropped, clean), tuple(dropped)


def _judged(
    label: Label,
    quotes: QuoteCheck,
    clean: Callable[[str], str],
    earlier: Sequence[Quoted],
    kept: Sequence[Quoted],
) -> Quoted | Refusal:
    """The label as it may be stored, or why it may not.

    Args:
        label: As the model gave it.
        quotes: What was said.
        clean: Takes out what must not be stored.
        earlier: Labels of earlier windows: one for the same words is the same one again.
        kept: All labels so far: of one answer, only an equal one is the same one again.
    """
    found = quotes.check(label)
    if isinstance(found, Refusal):
        return found
    stored = Quoted(with_texts(found.label, clean), found.places)
    if not _says_something(stored.label):
        return Refusal.SECRET
    repeated = _seen(stored, earlier) or any(stored.label == each.label for each in kept)
    return Refusal.REPEATED if repeated else stored


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
        if len(fold(text).text) >= _TELLING and any(contains(span, text) for span in private):
            return NOT_SAVED
        for span in private:
            for place in reversed(list(find(span, text))):
                text = text[: place.start] + NOT_SAVED + text[place.end :]
        return cut(_storable(text), secrets)

    return clean


def _hidden(_: str) -> str:
    return NOT_SAVED


def _storable(text: str) -> str:
    """The text without what no store and no wire takes: lone surrogates and NUL."""
    return text.encode("utf-8", "ignore").decode("utf-8").replace("\0", "")


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

"""Check that a label rests on words the user said: in this turn, and outside of quotation. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from ...schemas.labels import Label
from ...schemas.turn import Role, Turn
from .folded import Place, find, merged
from .quotation import quoted, said

_LEFT_OUT = re.compile(r"\s*(?:\[?(?:\.\.\.|…)\]?)\s*")
"""What a model writes between two spans that it puts into one quote."""


def _edge(character: str) -> bool:
    """Whether a quote means the same without this mark at its end: punctuation and white space."""
    return character.isspace() or unicodedata.category(character)[0] == "P"


class Refusal(StrEnum):
    """Why a label does not count."""

    NOT_SAID = "its quote is not in the turn"
    ONLY_QUOTED = "its quote lies wholly inside a quotation, code, an address or pasted text"
    NOT_THE_USERS = "its words are not the user's, and no word of the user accepts them"
    SAID_EARLIER = "its quote is in an earlier turn only"
    NOT_TO_SAVE = "its quote lies in what the user asked not to save"
    SECRET = "it is nothing but a secret"
    REPEATED = "the same label stands on the same words"


_SPEAKERS = frozenset({Role.USER, Role.ASSISTANT})


@dataclass(frozen=True)
class Quoted:
    """A label whose quotes are what was said, letter for letter.

    Attributes:
        places: Where in the turn the quotes stand.
    """

    label: Label
    places: tuple[Place, ...]

    @property
    def start(self) -> int:
        """Where in the turn the label begins."""
        return self.places[0].start


class QuoteCheck:
    """Checks the labels of one turn."""

    def __init__(self, turn: Turn, private: Iterable[str] = ()) -> None:
        self._turn = turn
        self._quotation = quoted(turn.text)
        self._private = merged([place for span in private for place in find(span, turn.text)])

    def check(self, label: Label) -> Quoted | Refusal:
        """The label with its quotes as they stand in the turn, or why it does not count.

        Spans that are not what was said are left out; at least one of the user's must remain.
        Spans of an earlier user turn, and those of the assistant that the user accepts, only
        ever stand beside one of this turn.
        """
        spans = [span for quote in label.quote for span in _spans(quote)]
        here = [self._place(span) for span in spans]
        absent = [
            span for span, place in zip(spans, here, strict=True) if place is Refusal.NOT_SAID
        ]
        places = merged([place for place in here if isinstance(place, Place)])
        if not places:
            return self._refusal(absent, here)
        if any(self._nobodys(span) for span in absent):
            return Refusal.NOT_THE_USERS
        kept = list(self._kept(places))
        if not kept:
            return Refusal.NOT_TO_SAVE
        quotes = [self._turn.text[place.start : place.end] for place in kept]
        quotes += [quote for span in absent if (quote := self._elsewhere(span))]
        return Quoted(label.model_copy(update={"quote": tuple(quotes)}), tuple(kept))

    def _place(self, span: str) -> Place | Refusal:
        """Where the user said the span; the first place outside of quotation counts."""
        found = _found(span, self._turn.text)
        if not found:
            return Refusal.NOT_SAID
        own = (place for place in found if said(place, self._turn.text, self._quotation))
        return next(own, Refusal.ONLY_QUOTED)

    def _kept(self, places: Iterable[Place]) -> Iterator[Place]:
        """What remains of the places outside of what is not to be saved."""
        for place in places:
            at = place.start
            for each in self._private:
                if each.end <= at or each.start >= place.end:
                    continue
                yield from _worth(Place(at, each.start), self._turn.text)
                at = max(at, each.end)
            yield from _worth(Place(at, place.end), self._turn.text)

    def _nobodys(self, span: str) -> bool:
        """Whether only a tool or the system said the span: what they say cannot be accepted."""
        others = [each.text for each in self._turn.before if each.role not in _SPEAKERS]
        return not self._elsewhere(span) and any(_found(span, text) for text in others)

    def _elsewhere(self, span: str) -> str | None:
        """The span as it was said before the turn, by the user or by the assistant."""
        for message in reversed(self._turn.before):
            if message.role in _SPEAKERS:
                for place in _found(span, message.text)[:1]:
                    return message.text[place.start : place.end]
        return None

    def _refusal(self, spans: list[str], here: list[Place | Refusal]) -> Refusal:
        if Refusal.ONLY_QUOTED in here:
            return Refusal.ONLY_QUOTED
        for role, refusal in (
            (Role.USER, Refusal.SAID_EARLIER),
            (Role.ASSISTANT, Refusal.NOT_THE_USERS),
        ):
            texts = [message.text for message in self._turn.before if message.role is role]
            if any(_found(span, text) for span in spans for text in texts):
                return refusal
        return Refusal.NOT_SAID


def _spans(quote: str) -> Iterator[str]:
    """The spans of a quote: it may leave words out between them."""
    return (part for part in _LEFT_OUT.split(quote) if any(map(str.isalnum, part)))


def _found(span: str, text: str) -> list[Place]:
    """Where the span stands, if need be without the marks that a model puts around it."""
    return list(find(span, text)) or list(find(_bare(span), text))


def _bare(span: str) -> str:
    start, end = 0, len(span)
    while start < end and _edge(span[start]):
        start += 1
    while start < end and _edge(span[end - 1]):
        end -= 1
    return span[start:end]


def _worth(place: Place, text: str) -> Iterator[Place]:
    """The place without white space at its ends, if it holds a letter or a digit."""
    part = text[place.start : place.end]
    if any(character.isalnum() for character in part):
        start = place.start + len(part) - len(part.lstrip())
        yield Place(start, start + len(part.strip()))

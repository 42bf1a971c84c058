"""What a turn says: labels, or why there are none, or the question to ask. No store, no model."""

import unicodedata
from enum import StrEnum
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, model_validator

from .base import Shape
from .dimensions import REPLIES
from .scope import Condition, Scope, Until
from .versions import SCHEMA_VERSION


class Intent(StrEnum):
    """How far an instruction reaches in time."""

    DURABLE = "durable"
    THIS_TASK = "this_task"
    FORGET = "forget"
    RETIRE = "retire"
    INFERRED = "inferred"


class Kind(StrEnum):
    """How to communicate, how to do work, or a state from which no instruction follows."""

    PREFERENCE = "preference"
    PROCEDURE = "procedure"
    FACT = "fact"


class Polarity(StrEnum):
    """Do it, avoid it, or neither: lifting is not forbidding."""

    DO = "do"
    AVOID = "avoid"
    LIFT = "lift"


class Span(StrEnum):
    """What a rule for now is bound to."""

    TASK = "task"
    CONVERSATION = "conversation"


class Revises(StrEnum):
    """Whether the user changed their mind or puts right what was understood."""

    CHANGE = "change"
    CORRECTION = "correction"


class Reach(StrEnum):
    """How many rules a forget or retire takes."""

    ONE = "one"
    ALL_MATCHING = "all_matching"
    DIMENSION = "dimension"
    SCOPE = "scope"
    EVERYTHING = "everything"


class NoneReason(StrEnum):
    """Why a turn holds no instruction to keep."""

    QUESTION = "question"
    TASK_REQUEST = "task_request"
    QUOTED_TEXT = "quoted_text"
    THIRD_PARTY = "third_party"
    HYPOTHETICAL = "hypothetical"
    STATEMENT_OF_FACT = "statement_of_fact"
    SMALL_TALK = "small_talk"
    QUESTION_ABOUT_RULES = "question_about_rules"
    ACKNOWLEDGEMENT = "acknowledgement"
    DECLINED = "declined"
    SARCASM = "sarcasm"
    MACHINE_TEXT = "machine_text"
    PRODUCT_SPEC = "product_spec"
    NO_SAVE_REQUESTED = "no_save_requested"
    UNKNOWN_SPEAKER = "unknown_speaker"


def slug(text: str) -> str:
    """`Commit messages` to `commit-messages`, in any script."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    words = "".join(each if _is_of_a_word(each) else " " for each in plain).split()
    return "-".join(word for word in words if any(map(str.isalnum, word)))


def _is_of_a_word(character: str) -> bool:
    """Letters, digits, and the marks on them: in many scripts a mark is the vowel."""
    return character.isalnum() or unicodedata.category(character).startswith("M")


def _target(value: object) -> object:
    return (slug(value) or REPLIES) if isinstance(value, str) else value


def _quotes(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Quotes: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_quotes)]
"""Verbatim spans; one string is one span."""


def _span_of(given: dict[str, Any]) -> Span | None:
    return Span.TASK if given.get("intent") is Intent.THIS_TASK else None


def _reach_of(given: dict[str, Any]) -> Reach | None:
    reaches = {Intent.FORGET: Reach.ONE, Intent.RETIRE: Reach.ALL_MATCHING}
    return reaches.get(given["intent"]) if "intent" in given else None


class Label(Shape):
    """One instruction in a turn: what was said, never what it changes.

    The fields are described in `docs/labels.md`. `scope` is None where the user names
    no place, which is not the same as `everywhere`.
    """

    intent: Intent
    kind: Kind = Kind.PREFERENCE
    dimension: str
    target: Annotated[str, BeforeValidator(_target)] = REPLIES
    value: str = Field(min_length=1)
    polarity: Polarity = Polarity.DO
    statement: str = ""
    scope: Scope | Literal["everywhere"] | None = None
    condition: Condition | None = None
    exception: Condition | None = None
    until: Until | None = None
    span: Span | None = Field(default_factory=_span_of)
    revises: Revises | None = None
    replaces: str | None = None
    reach: Reach | None = Field(default_factory=_reach_of)
    back: bool = False
    sweeping: bool = False
    quote: Quotes = ()


class Clarify(Shape):
    """A question to ask before anything is written.

    Attributes:
        question: What is unclear, in the user's language.
        label: The label as it would be if the answer is yes, with the intent most likely meant.
    """

    question: str
    label: Label | None = None


class TurnLabels(Shape):
    """All that one turn says: labels in the order said, or why there are none, or a question."""

    labels: tuple[Label, ...] = ()
    none_reason: NoneReason | None = None
    clarify: Clarify | None = None

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        given = [bool(self.labels), self.none_reason is not None, self.clarify is not None]
        if sum(given) != 1:
            raise ValueError(
                "a turn has labels, or a reason for none, or a question: one of the three"
            )
        return self


class LabelledBy(Shape):
    """Who labelled a turn: enough to do it again."""

    model: str
    prompt: str
    schema_version: int = SCHEMA_VERSION


class Usage(Shape):
    """What labelling one turn cost.

    Attributes:
        tokens_in: Tokens sent, over all attempts and windows.
        tokens_out: Tokens received.
        cost: In US dollars, where the price of the model is known.
        milliseconds: Wall time.
        attempts: Requests made, re-asks and retries included.
    """

    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    milliseconds: int = 0
    attempts: int = 0

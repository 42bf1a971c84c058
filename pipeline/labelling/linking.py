"""Ask a model how a label stands to the rules that code could not settle it with. No store."""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Literal

from ...prompts import Prompt, load_prompt
from ...schemas.ids import RuleId, TurnId
from ...schemas.labels import Label
from ...schemas.ledger import Relation
from ...schemas.rule import Rule
from ...schemas.turn import Message, Role
from .model import LabelModel
from .wire import Wire

PROMPT = "link_rules"

Letter = str


class WireRelation(Wire):
    """How the saying stands to one rule, by its letter."""

    rule: Letter
    relation: Literal["same", "replaces", "beside"]


class WireRelations(Wire):
    """All that the model says of the pairs."""

    relations: list[WireRelation]


async def link(
    label: Label,
    candidates: Sequence[Rule],
    *,
    model: LabelModel,
    turn: TurnId,
    prompt: Prompt | None = None,
) -> Mapping[RuleId, Relation]:
    """How the label stands to each of the candidates; one the model says nothing of is beside.

    The model sees the label and the candidates and nothing else of the store. It settles only
    pairs that code found and could not decide, and its word becomes a link in the ledger.

    Raises:
        LabelError: If the model gives no valid answer; the question stays open.
    """
    lettered = dict(zip(ascii_uppercase, candidates, strict=False))
    prompt = prompt or load_prompt(PROMPT)
    messages = (*_constant(prompt), _asked(_saying(label), [said(each) for each in candidates]))
    answer = await model.ask(messages, WireRelations, turn=turn)
    told = {each.rule: Relation(each.relation) for each in answer.value.relations}
    return {rule.id: told.get(letter, Relation.BESIDE) for letter, rule in lettered.items()}


def said(rule: Rule) -> str:
    """The rule as the model sees it: its statement, else its slot and value."""
    return rule.statement or f"{rule.slot}: {rule.value}"


def _saying(label: Label) -> str:
    return f"{label.intent}: {label.statement or label.value}"


def _constant(prompt: Prompt) -> tuple[Message, ...]:
    examples = [
        message
        for example in prompt.examples
        for message in (
            _asked(str(example.turn["saying"]), list(example.turn["rules"])),
            Message(role=Role.ASSISTANT, text=example.answer),
        )
    ]
    return (Message(role=Role.SYSTEM, text=prompt.text), *examples)


def _asked(saying: str, rules: Sequence[str]) -> Message:
    listed = "\n".join(
        f"{letter}: {_line(rule)}" for letter, rule in zip(ascii_uppercase, rules, strict=False)
    )
    return Message(role=Role.USER, text=f"Saying: {_line(saying)}\n{listed}")


def _line(text: str) -> str:
    """On one line: no text can look like another rule."""
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())

"""Open questions with the rules they may mean, and how to answer them."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from ....schemas.plan import Ask, Question
from ....schemas.rule import Rule
from .rules import all_rules
from .words import text

_ASKS = {
    Ask.WHICH_RULE: "Which rule is meant?",
    Ask.WHICH_VALUE: "Which rule does it replace?",
    Ask.UNSETTLED: "Does it repeat or replace one of these?",
    Ask.CLARIFY: "What is meant?",
}


def open_questions(
    questions: Sequence[Question], rules: Sequence[Rule]
) -> Iterator[RenderableType]:
    """Each question with its candidates."""
    if not questions:
        yield Text("No question is open.", "dim")
    known = {rule.id: rule for rule in rules}
    for question in questions:
        yield text(f"{question.id}: {_ASKS[question.ask]} “{question.words}”", "bold")
        candidates = [known[each] for each in question.candidates if each in known]
        if candidates:
            yield all_rules(candidates, title="")
        yield Text(_how(question), "dim")


def _how(question: Question) -> str:
    if question.ask is Ask.CLARIFY:
        options = "--intent durable, --intent this_task, or --none"
    elif question.ask is Ask.UNSETTLED:
        options = "--rule ID --relation same, --rule ID --relation replaces, or --none"
    else:
        options = "--rule ID, or --none"
    return f"henceforth answer {question.id} with {options}"

"""What became of a turn, for people: labels, changes, questions, or why it waits."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ....schemas.labels import Label, TurnLabels, Usage
from ....schemas.outcome import Dropped, Labelled, Outcome
from ....schemas.plan import Change, Question
from ....schemas.rule import Rule, State
from .tables import Cell, filled
from .words import STYLES, limits_of_label, limits_of_rule, slot_and_value, text


def outcome_view(outcome: Outcome) -> Iterator[RenderableType]:
    """The outcome of one turn or command."""
    yield headline(outcome)
    if outcome.labels is not None and outcome.labels.labels:
        yield labels_table(outcome.labels.labels)
    if outcome.changes:
        yield changes_table(outcome.changes)
    if outcome.questions:
        yield questions_table(outcome.questions)
    if outcome.usage is not None and outcome.usage.attempts:
        yield Text(usage_line(outcome.usage), "dim")


def labelled_view(labelled: Labelled) -> Iterator[RenderableType]:
    """What a text says, and what was said of it and not accepted."""
    labels = labelled.labels
    if not labels.labels:
        kind = "to ask" if labels.clarify else "no instruction"
        yield text(f"{kind}: {why_none(labels)}", "bold")
    if labels.labels or labelled.dropped:
        yield labels_table(labels.labels, labelled.dropped)
    by = labelled.labelled_by
    yield text(f"by {by.model}, prompt {by.prompt}; {usage_line(labelled.usage)}", "dim")


def headline(outcome: Outcome) -> Text:
    """The turn, its status, and the reason where there is one."""
    reason = outcome.pending or why_none(outcome.labels)
    line = f"turn {outcome.turn}: {outcome.status}" if outcome.turn else str(outcome.status)
    return text(f"{line} ({reason})" if reason else line, "bold")


def why_none(labels: TurnLabels | None) -> str:
    """Why there are no labels: the reason, or what is to be asked."""
    if labels is None:
        return ""
    if labels.clarify is not None:
        return labels.clarify.question
    return labels.none_reason or ""


def labels_table(labels: Sequence[Label], dropped: Sequence[Dropped] = ()) -> Table:
    """What the turn says, in the order said."""
    columns = ("intent", "governs", "said of where and when", "quote")
    rows = [_label(label) for label in labels]
    rows += [[*_label(each.label)[:3], text(f"dropped: {each.why}", "red")] for each in dropped]
    return filled("Labels", columns, rows)


def _label(label: Label) -> list[Cell]:
    quoted = " … ".join(f"“{span}”" for span in label.quote)
    value, limits = slot_and_value(label), limits_of_label(label)
    return [label.intent, text(value), text(limits), text(quoted, "italic")]


def changes_table(changes: Iterable[Change]) -> Table:
    """What it changes, with the row of the reconcile table."""
    rows = [row for change in changes for row in _change(change)]
    return filled("Changes", ("row", "id", "state", "rule", "holds"), rows)


def _change(change: Change) -> list[list[Cell]]:
    if not change.rules:
        return [[change.row, "", "", Text("nothing is written", "dim"), ""]]
    return [
        [
            change.row,
            rule.id,
            Text(_state(rule), STYLES[rule.state]),
            text(slot_and_value(rule)),
            text(limits_of_rule(rule)),
        ]
        for rule in change.rules
    ]


def _state(rule: Rule) -> str:
    by = rule.superseded_by
    return f"{rule.state} by {by}" if by and rule.state is State.SUPERSEDED else rule.state


def questions_table(questions: Iterable[Question]) -> Table:
    """What only the user can say."""
    rows: Iterator[list[Cell]] = (
        [each.id, each.ask, text(each.words), "\n".join(each.candidates)] for each in questions
    )
    return filled("Questions", ("id", "about", "words", "candidates"), rows)


def usage_line(usage: Usage) -> str:
    """What it cost, in one line."""
    price = "" if usage.cost is None else f", ${usage.cost:.4f}"
    return (
        f"{usage.tokens_in} tokens in, {usage.tokens_out} out, {usage.milliseconds} ms, "
        f"{usage.attempts} {'request' if usage.attempts == 1 else 'requests'}{price}"
    )

"""Put a turn before the model: what never changes first, the turn last, its text as data. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any

from ...prompts import Prompt
from ...schemas.context import Context
from ...schemas.dimensions import Registry
from ...schemas.ids import TurnId
from ...schemas.turn import Message, Role, Turn

LONGEST_BEFORE = 1200
"""Characters of a message before the turn that the model sees; a suggestion stands at its end."""

_TAGS = re.compile(r"<(?=/?(?:turn|before|context)\b)", re.IGNORECASE)
_HIDDEN = "<\u200b"
"""An opening bracket that closes nothing; the quote check does not see the mark in it."""


def render_messages(
    turn: Turn, prompt: Prompt, registry: Registry, *, preceding: int = 4
) -> tuple[Message, ...]:
    """The messages that ask for the labels of the turn.

    System messages before the turn are left out: they may hold rules, and labels are a function
    of what was said, never of the store.

    Args:
        turn: The turn, or a window of it.
        prompt: What to ask, with its examples.
        registry: The dimensions that the prompt names.
        preceding: How many messages before the turn are shown.
    """
    return (
        Message(role=Role.SYSTEM, text=prompt.system(registry)),
        *_examples(prompt, preceding),
        Message(role=Role.USER, text=render_turn(turn, preceding=preceding)),
    )


def _examples(prompt: Prompt, preceding: int) -> Iterator[Message]:
    for example in prompt.examples:
        shown = render_turn(example_turn(example.turn), preceding=preceding)
        yield Message(role=Role.USER, text=shown)
        yield Message(role=Role.ASSISTANT, text=example.answer)


def example_turn(fields: Mapping[str, Any]) -> Turn:
    """The turn of an example: `text`, and where they matter `before`, `context` and `day`."""
    day = fields.get("day") or date(2026, 1, 5)
    before = [_message(each) for each in fields.get("before") or ()]
    return Turn(
        id=TurnId("example"),
        text=fields["text"],
        said_at=datetime.combine(day, time(12), tzinfo=UTC),
        before=tuple(before),
        context=Context.model_validate(fields.get("context") or {}),
    )


def _message(fields: dict[str, str]) -> Message:
    """A message of an example, written as `role: text`."""
    ((role, text),) = fields.items()
    return Message(role=Role(role), text=text)


def render_turn(turn: Turn, *, preceding: int) -> str:
    """The turn with what it stands in, each in tags that no text inside can close."""
    parts = [f"<context>{_plain(_context(turn))}</context>"]
    if shown := _before(turn.before, preceding):
        parts.append("<before>\n" + "\n".join(shown) + "\n</before>")
    parts.append(f"<turn>\n{_plain(turn.text)}\n</turn>")
    return "\n".join(parts)


def _context(turn: Turn) -> str:
    known = turn.context.model_dump(exclude_none=True, include={*_CONTEXT})
    day = turn.said_at.date()
    named = {"day": f"{day:%Y-%m-%d} {_WEEKDAYS[day.weekday()]}", **known}
    return "; ".join(f"{name}: {value}" for name, value in named.items())


_CONTEXT = ("project", "repository", "workspace", "task_type", "file", "branch", "audience")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def _before(messages: Sequence[Message], preceding: int) -> list[str]:
    heard = [each for each in messages if each.role is not Role.SYSTEM]
    return [
        f"{each.role.value}: {_shortened(each.text)}" for each in heard[len(heard) - preceding :]
    ]


def _shortened(text: str) -> str:
    """The beginning and the end of a long message, and how much is left out between them."""
    plain = _plain(text)
    if len(plain) <= LONGEST_BEFORE:
        return plain
    head, tail = LONGEST_BEFORE // 3, LONGEST_BEFORE * 2 // 3
    return f"{plain[:head]} […{len(plain) - head - tail}…] {plain[-tail:]}"


def _plain(text: str) -> str:
    """The text as it can be sent: no lone surrogates, our own tags made harmless."""
    sendable = text.encode("utf-8", "ignore").decode("utf-8")
    return _TAGS.sub(_HIDDEN, sendable)

"""The messages of each conversation so far, from which a text becomes a turn."""

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime

from ..schemas.context import Context
from ..schemas.turn import Message, Role, Turn


class Talk:
    """Remembers what was said, so that a turn is labelled with the messages before it.

    Args:
        clock: The time, in the zone of the subject.
    """

    def __init__(self, *, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._messages: dict[str | None, list[Message]] = defaultdict(list)

    def turn(self, text: str, context: Context) -> Turn:
        """The user says something now: a turn after all messages of its conversation so far."""
        messages = self._messages[context.conversation]
        said = Turn(
            text=text,
            said_at=self._clock(),
            index=len(messages),
            before=tuple(messages),
            context=context,
        )
        messages.append(Message(role=Role.USER, text=text, id=said.id))
        return said

    def replied(self, text: str, context: Context, *, id: str | None = None) -> None:
        """The assistant answered in the conversation."""
        answer = Message(role=Role.ASSISTANT, text=text, id=id)
        self._messages[context.conversation].append(answer)

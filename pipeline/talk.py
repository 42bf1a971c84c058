"""The messages of one conversation so far, from which a text becomes a turn."""

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
        self._messages: list[Message] = []

    def turn(self, text: str, context: Context) -> Turn:
        """The user says something now: a turn after all messages so far."""
        said = Turn(
            text=text,
            said_at=self._clock(),
            index=len(self._messages),
            before=tuple(self._messages),
            context=context,
        )
        self._messages.append(Message(role=Role.USER, text=text, id=said.id))
        return said

    def replied(self, text: str, *, id: str | None = None) -> None:
        """The assistant answered."""
        self._messages.append(Message(role=Role.ASSISTANT, text=text, id=id))

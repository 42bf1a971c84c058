"""Logged calls of a model: each repeats the conversation so far, so only its last turn is new."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from .....schemas.turn import Role
from ..fields import Fields, fields
from ..options import ReadOptions
from ..said import Heard, Raw, Said
from ..thread import Thread
from .base import Handler, openai_message, stranger


@dataclass(frozen=True)
class Call:
    """One call of a model.

    Attributes:
        id: The id of the call.
        conversation: The id of the session, where the log has one.
        messages: All that was put to the model.
    """

    id: str | None
    conversation: str | None
    speaker: str | None
    said_at: datetime | None
    messages: Sequence[object]


def calls(parse: Callable[[Fields], Call | None]) -> Callable[[ReadOptions], Handler]:
    """The handler of a log of calls; the parser gives None for what is no call of a chat."""

    def handler(options: ReadOptions) -> Handler:
        def turns(raw: Raw) -> Iterator[Said]:
            call = parse(fields(raw.value))
            if call is None:
                return
            conversation = call.conversation or call.id or str(raw.place)
            speaker = options.speaker or call.speaker or stranger(conversation)
            thread = Thread(conversation, speaker, options)
            heard = [openai_message(each) for each in call.messages]
            last = _last_user(heard)
            for each in heard[:last]:
                thread.hear(each, raw.place)
            for each in heard[last : last + 1]:
                new = Heard(each.role, each.text, call.said_at, machine=each.machine)
                said = thread.hear(new, raw.place)
                if said is not None:
                    yield said

        return turns

    return handler


def _last_user(heard: Sequence[Heard]) -> int:
    """The place of the turn that the call answers; past the end, where it answers a tool."""
    if heard and heard[-1].role is Role.USER:
        return len(heard) - 1
    return len(heard)

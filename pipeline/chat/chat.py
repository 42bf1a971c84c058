"""Between a chat backend and its model: turns are kept, the reply obeys the rules in force."""

from collections.abc import Sequence
from enum import StrEnum

import anyio
from anyio import to_thread

from ...schemas.context import Context
from ...schemas.ids import TurnId
from ...schemas.outcome import Outcome
from ...schemas.turn import Turn
from ..background import Background
from ..core.render import TAG, Form, Rendered, render
from ..errors import NoConversationError, ShiftedHistoryError
from ..hosting import Host
from ..session import Session
from .form import ChatMessage, Speaking, user_turns, with_block


class ChatMode(StrEnum):
    """Which reply a new rule holds for first."""

    BLOCKING = "blocking"
    """This reply: it waits for the labels, up to the deadline."""

    BACKGROUND = "background"
    """The next reply: this one waits for nothing but the store."""


class Chat:
    """Reads the new turns of a conversation and puts the rules in force before the model.

    Args:
        host: Whose store and labeller are used.
        mode: Whether a reply waits for the labels of the turn it answers.
        deadline: Seconds that all labelling before one reply may take; what is not labelled by
            then is pending, and the chat goes on with the rules as they are.
        form: How the rules are written.
        budget: The most tokens they may take.
    """

    def __init__(
        self,
        host: Host,
        *,
        mode: ChatMode = ChatMode.BLOCKING,
        deadline: float | None = 10.0,
        form: Form = Form.MARKDOWN,
        budget: int | None = None,
    ) -> None:
        self._host, self._mode, self._deadline = host, mode, deadline
        self._form, self._budget = form, budget
        self._background = Background()

    async def prepare(
        self,
        messages: Sequence[ChatMessage],
        subject: str,
        context: Context,
        *,
        tenant: str | None = None,
        dropped: int = 0,
        name: str | None = None,
    ) -> list[ChatMessage]:
        """Observe what is new in the messages, and give them with the rules in force.

        See `observe` and `insert`, for hosts that want to know what came of each.
        """
        await self.observe(messages, subject, context, tenant=tenant, dropped=dropped, name=name)
        return await self.insert(messages, subject, context, tenant=tenant)

    async def observe(
        self,
        messages: Sequence[ChatMessage],
        subject: str,
        context: Context,
        *,
        tenant: str | None = None,
        dropped: int = 0,
        name: str | None = None,
    ) -> tuple[Outcome, ...]:
        """Observe the user turns that are not known yet, the oldest first.

        The whole conversation may be sent each time: a turn counts once. It is known by the `id`
        of its message, else by its place; a last message that comes again with other text is an
        edit, and replaces what it said before.

        Args:
            messages: The conversation so far; the first is its first, but for those `dropped`.
            subject: The speaker, as the host knows them; never read from a message.
            context: The moment; its conversation is needed.
            tenant: Whose speaker, if not of the tenant of the settings.
            dropped: How many messages, system messages not counted, the host has left out in
                front of the first.
            name: In a group, the `name` on the subject's messages.

        Returns:
            What came of each new turn; in background mode that they are pending.

        Raises:
            NoConversationError: If the context names none.
            ShiftedHistoryError: If the messages are not those that stood in these places before.
            StoreError: If a turn could not be kept; it can be sent again.
        """
        speaking = _speaking(context, dropped, name)
        session = self._host.session(subject, tenant=tenant, context=context)
        turns = user_turns(messages, speaking, said_at=session.now())
        new = await to_thread.run_sync(_unknown, session, turns)
        if self._mode is ChatMode.BACKGROUND:
            return await self._background.label(session, new)
        until = anyio.current_time() + self._deadline if self._deadline is not None else None
        return tuple([await session.observe(each, deadline=_left(until)) for each in new])

    async def insert(
        self,
        messages: Sequence[ChatMessage],
        subject: str,
        context: Context,
        *,
        tenant: str | None = None,
    ) -> list[ChatMessage]:
        """The messages with the rules in force in the system message, in place of earlier ones."""
        session = self._host.session(subject, tenant=tenant, context=context)
        rendered = render(await session.in_force(), form=self._form, budget=self._budget)
        return with_block(messages, _enclosed(rendered))

    async def aclose(self, *, grace: float = 10.0) -> None:
        """Wait for what is labelled in the background; what takes longer stays pending."""
        await self._background.aclose(grace=grace)


def _speaking(context: Context, dropped: int, name: str | None) -> Speaking:
    if not context.conversation:
        raise NoConversationError
    return Speaking(context=context, dropped=dropped, name=name)


def _unknown(session: Session, turns: Sequence[Turn]) -> Sequence[Turn]:
    """The turns after the last one that is known; what comes before it was read then."""
    waiting = {each.turn.id: each.turn.text_hash for each in session.store.pending(session.subject)}

    def known(turn: TurnId) -> str | None:
        seen = session.store.seen(session.subject, turn)
        return waiting.get(turn) or (seen.text_hash if seen else None)

    new: list[Turn] = []
    for turn in reversed(turns):
        before = known(turn.id)
        if before == turn.text_hash:
            break
        if before is not None and new:
            raise ShiftedHistoryError(turn=turn.id)
        new.append(turn)
    return new[::-1]


def _left(until: float | None) -> float | None:
    return None if until is None else max(0.0, until - anyio.current_time())


def _enclosed(rendered: Rendered) -> str:
    """The block in its tags, whatever its form: by them it is found again."""
    text = rendered.text
    return text if not text or text.startswith(f"<{TAG}>") else f"<{TAG}>\n{text}\n</{TAG}>"

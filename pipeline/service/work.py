"""What the routes do: one call on the session of a subject of the caller's tenant."""

from collections.abc import Sequence
from functools import partial

import anyio
from anyio import to_thread
from pydantic import ValidationError

from ...schemas.context import Context
from ...schemas.outcome import Outcome
from ..background import Background
from ..chat.chat import Chat, ChatMode
from ..errors import HenceforthError
from ..hosting import Host
from ..session import Session
from .bodies import Export, Observe, Observed, Prepare, Prepared
from .callers import Caller
from .options import Options
from .problems import invalid, problem_of


class Work:
    """Carries out calls for callers.

    Args:
        host: Whose store and labeller are used.
        options: The limits.
    """

    def __init__(self, host: Host, options: Options) -> None:
        self.host, self.options = host, options
        self._background = Background()
        self._chats = {mode: Chat(host, mode=mode, deadline=options.deadline) for mode in ChatMode}

    def session(self, caller: Caller, speaker: str, context: Context | None = None) -> Session:
        """The session of a speaker of the caller's tenant."""
        return self.host.session(speaker, tenant=caller.tenant, context=context)

    async def observe(self, caller: Caller, asked: Observe) -> Outcome:
        """Observe a turn: with the labels given, in the background, or up to the deadline."""
        session = self.session(caller, asked.subject, asked.context)
        turn = asked.turn.turn(asked.context, now=session.now())
        if asked.labelled is not None:
            return await session.keep(turn, asked.labelled)
        if asked.mode is ChatMode.BACKGROUND:
            return (await self._background.label(session, [turn]))[0]
        deadline = min(asked.deadline or self.options.deadline, self.options.deadline)
        return await session.observe(turn, deadline=deadline)

    async def observe_many(self, caller: Caller, asked: Sequence[Observe]) -> list[Observed]:
        """Observe turns: those of one subject in order, those of several side by side."""
        results: dict[int, Observed] = {}

        async def of_one(places: Sequence[int]) -> None:
            for place in places:
                results[place] = await self._observed(caller, asked[place])

        by_subject: dict[str, list[int]] = {}
        for place, each in enumerate(asked):
            by_subject.setdefault(each.subject, []).append(place)
        async with anyio.create_task_group() as group:
            for places in by_subject.values():
                group.start_soon(of_one, places)
        return [results[place] for place in range(len(asked))]

    async def prepare(self, caller: Caller, asked: Prepare) -> Prepared:
        """Observe what is new in messages, and put the rules in force into them."""
        chat, tenant = self._chats[asked.mode], caller.tenant
        given = (asked.messages, asked.subject, asked.context)
        outcomes = await chat.observe(*given, tenant=tenant, dropped=asked.dropped, name=asked.name)
        messages = await chat.insert(*given, tenant=tenant)
        return Prepared(messages=tuple(map(dict, messages)), outcomes=outcomes)

    async def export(self, caller: Caller, speaker: str) -> Export:
        """All that is kept of a subject."""
        session = self.session(caller, speaker)
        kept = await to_thread.run_sync(session.store.read, session.subject)
        return Export(
            subject=session.subject,
            version=kept.version,
            ledger=tuple(await to_thread.run_sync(session.store.ledger, session.subject)),
            rules=kept.rules,
            questions=kept.questions,
            pending=tuple(await session.pending()),
        )

    async def aclose(self) -> None:
        """Wait for what is under way, as long as the options allow; the rest is pending."""
        grace = self.options.grace
        async with anyio.create_task_group() as group:
            group.start_soon(partial(self._background.aclose, grace=grace))
            for each in self._chats.values():
                group.start_soon(partial(each.aclose, grace=grace))

    async def _observed(self, caller: Caller, asked: Observe) -> Observed:
        try:
            return Observed(outcome=await self.observe(caller, asked))
        except HenceforthError as error:
            return Observed(problem=problem_of(error))
        except ValidationError as error:
            return Observed(problem=invalid(error))

"""The session for code that is not async: the same calls, each waited for."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import ExitStack
from datetime import datetime
from types import TracebackType
from typing import Any, Self, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from ..schemas.context import Context
from ..schemas.history import Difference, Erased, Explanation, Happened
from ..schemas.ids import QuestionId, RuleId, TurnId
from ..schemas.in_force import InForce
from ..schemas.labels import Intent
from ..schemas.ledger import Relation
from ..schemas.outcome import Labelled, Outcome
from ..schemas.plan import Question
from ..schemas.rule import Rule
from ..schemas.turn import Turn
from .session import Session
from .stores.protocol import PendingTurn

T = TypeVar("T")


class SyncSession:
    """A `Session` for synchronous code; takes the same arguments, and must be closed.

    It runs its own event loop in a thread, so it works inside a notebook or a running loop too.
    """

    def __init__(self, speaker: str, **given: Any) -> None:
        self._session = Session(speaker, **given)
        self._exit = ExitStack()
        self._portal: BlockingPortal = self._exit.enter_context(start_blocking_portal())

    def __enter__(self) -> Self:
        """The session itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the session."""
        self.close()

    def close(self) -> None:
        """Close the store, if the session opened it, and stop the event loop."""
        self._call(self._session.__aexit__, None, None, None)
        self._exit.close()

    @property
    def context(self) -> Context:
        """Where the session takes place."""
        return self._session.context

    def observe(
        self, turn: Turn | str, *, context: Context | None = None, deadline: float | None = None
    ) -> Outcome:
        """See `Session.observe`."""
        return self._call(self._session.observe, turn, context=context, deadline=deadline)

    def keep(self, turn: Turn, labelled: Labelled) -> Outcome:
        """See `Session.keep`."""
        return self._call(self._session.keep, turn, labelled)

    def replied(self, text: str, *, context: Context | None = None, id: str | None = None) -> None:
        """See `Session.replied`."""
        self._session.replied(text, context=context, id=id)

    def retry_pending(self) -> tuple[Outcome, ...]:
        """See `Session.retry_pending`."""
        return self._call(self._session.retry_pending)

    def pending(self) -> Sequence[PendingTurn]:
        """See `Session.pending`."""
        return self._call(self._session.pending)

    def questions(self) -> tuple[Question, ...]:
        """See `Session.questions`."""
        return self._call(self._session.questions)

    def answer(
        self,
        question: QuestionId,
        *,
        rules: Collection[RuleId] = (),
        relation: Relation | None = None,
        intent: Intent | None = None,
    ) -> Outcome:
        """See `Session.answer`."""
        return self._call(
            self._session.answer, question, rules=rules, relation=relation, intent=intent
        )

    def in_force(
        self,
        context: Context | None = None,
        *,
        as_of: datetime | None = None,
        events: Collection[str] = (),
    ) -> InForce:
        """See `Session.in_force`."""
        return self._call(self._session.in_force, context, as_of=as_of, events=events)

    def rules(self) -> tuple[Rule, ...]:
        """See `Session.rules`."""
        return self._call(self._session.rules)

    def history(self) -> tuple[Happened, ...]:
        """See `Session.history`."""
        return self._call(self._session.history)

    def explain(self, rule: RuleId) -> Explanation:
        """See `Session.explain`."""
        return self._call(self._session.explain, rule)

    def difference(self, turn: TurnId) -> Difference:
        """See `Session.difference`."""
        return self._call(self._session.difference, turn)

    def forget(self, rule: RuleId) -> Outcome:
        """See `Session.forget`."""
        return self._call(self._session.forget, rule)

    def confirm(self, rule: RuleId) -> Outcome:
        """See `Session.confirm`."""
        return self._call(self._session.confirm, rule)

    def undo(self, turn: TurnId | None = None) -> Outcome:
        """See `Session.undo`."""
        return self._call(self._session.undo, turn)

    def end(self, *, conversation: str | None = None, task: str | None = None) -> Outcome:
        """See `Session.end`."""
        return self._call(self._session.end, conversation=conversation, task=task)

    def happened(self, event: str) -> Outcome:
        """See `Session.happened`."""
        return self._call(self._session.happened, event)

    def erase(self, rule: RuleId | None = None) -> Erased:
        """See `Session.erase`."""
        return self._call(self._session.erase, rule)

    def redact_due(self) -> int:
        """See `Session.redact_due`."""
        return self._call(self._session.redact_due)

    def _call(self, method: Callable[..., Awaitable[T]], *given: Any, **named: Any) -> T:
        async def run() -> T:
            return await method(*given, **named)

        return self._portal.call(run)

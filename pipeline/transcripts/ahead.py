"""Labels the turns to come while earlier ones are kept, a bounded number at a time."""

from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING

from anyio import Event
from anyio.abc import TaskGroup

from ...schemas.ids import TurnId
from ...schemas.outcome import Labelled
from ...schemas.turn import Turn
from ..errors import LabelError, ModelRefusedError, ModelUnavailableError

if TYPE_CHECKING:
    from ..intake import Labeller


class Ahead:
    """A labeller that has begun with the next turns when it is asked for one.

    Labels depend on the turn alone, so they may be made in any order; keeping is what has one.

    Args:
        labeller: What labels.
        turns: The turns in the order they will be asked for.
        group: Where the work runs.
        width: How many turns may be under way.
        is_seen: Whether a turn is kept already and will not be asked for.

    Attributes:
        unanswered: How many turns in a row the model did not answer.
        last_error: Why, the last time.
    """

    def __init__(
        self,
        labeller: "Labeller",
        turns: Iterable[Turn],
        *,
        group: TaskGroup,
        width: int,
        is_seen: Callable[[Turn], Awaitable[bool]],
    ) -> None:
        self._labeller, self._group, self._width, self._is_seen = labeller, group, width, is_seen
        self._waiting = deque(turns)
        self._begun: dict[int, _Begun] = {}
        self._said: set[tuple[str | None, TurnId, str]] = set()
        self.unanswered = 0
        self.last_error: LabelError | None = None

    async def label(self, turn: Turn) -> Labelled:
        """The labels of the turn.

        Raises:
            LabelError: If it could not be labelled.
        """
        await self._begin_the_next()
        begun = self._begun.pop(id(turn), None)
        try:
            labelled = await (begun.labelled() if begun else self._labeller.label(turn))
        except (ModelUnavailableError, ModelRefusedError) as error:
            self.unanswered, self.last_error = self.unanswered + 1, error
            raise
        self.unanswered = 0
        return labelled

    async def _begin_the_next(self) -> None:
        while self._waiting and len(self._begun) < self._width:
            turn = self._waiting.popleft()
            said = (turn.speaker, turn.id, turn.text_hash)
            if said not in self._said and not await self._is_seen(turn):
                self._said.add(said)
                begun = self._begun[id(turn)] = _Begun(turn)
                self._group.start_soon(begun.run, self._labeller)


class _Begun:
    """One turn that is being labelled."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn  # held, so that its identity stays its own
        self._done = Event()
        self._labelled: Labelled | None = None
        self._error: Exception | None = None

    async def run(self, labeller: "Labeller") -> None:
        try:
            self._labelled = await labeller.label(self._turn)
        except Exception as error:  # whoever asks for the turn gets it
            self._error = error
        self._done.set()

    async def labelled(self) -> Labelled:
        await self._done.wait()
        if self._labelled is None:
            assert self._error is not None
            raise self._error
        return self._labelled

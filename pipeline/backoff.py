"""How long a turn waits after a try that failed, and when it is given up. Pure."""

from datetime import datetime, timedelta

from .settings import Settings
from .stores.protocol import PendingTurn

LONGEST = timedelta(hours=1)
"""The longest a turn waits between two tries."""


def again_later(
    waiting: PendingTurn, reason: str, *, now: datetime, settings: Settings
) -> PendingTurn:
    """The turn after one more try that failed: due later, twice as late each time, or given up."""
    tries = waiting.tries + 1
    wait = min(LONGEST, settings.retry_after * 2 ** min(tries - 2, 20))
    return waiting.model_copy(
        update={
            "reason": reason,
            "tries": tries,
            "due": now + wait,
            "dead": tries >= settings.retries,
        }
    )

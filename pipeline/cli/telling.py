"""Prints what became of a turn or a command, in the form that was asked for."""

from collections.abc import Sequence

from ...schemas.outcome import Outcome, Status
from .exits import Exit
from .output import print_json, show
from .views.outcome import outcome_view


def tell(outcome: Outcome, *, as_json: bool) -> Exit:
    """Print one outcome; a turn that waits makes the run a partial one."""
    if as_json:
        print_json(outcome.model_dump(mode="json"))
    else:
        show(*outcome_view(outcome))
    return exit_of([outcome])


def exit_of(outcomes: Sequence[Outcome]) -> Exit:
    """Whether all turns are done, or some wait."""
    waits = any(each.status is Status.PENDING for each in outcomes)
    return Exit.PARTLY if waits else Exit.OK

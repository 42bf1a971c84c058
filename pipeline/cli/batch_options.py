"""What the batch commands share: terms of the fold, workers."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..batch.folding import Terms
    from ..settings import Settings


def terms_of(settings: "Settings", as_of: str | None = None) -> "Terms":
    """How label rows are folded, by the settings."""
    from ..batch.folding import Terms
    from ..registry import registry_of
    from .times import end_of

    redacts = settings.forgotten == "redact"
    return Terms(
        registry=registry_of(settings),
        signals=settings.signals,
        undo_window=settings.undo_window if redacts else None,
        as_of=end_of(as_of, settings.zone, option="--as-of") if as_of else None,
    )


def workers_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--workers N`."""
    return click.option(
        "--workers",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Processes; the result is the same with any number.",
    )(command)

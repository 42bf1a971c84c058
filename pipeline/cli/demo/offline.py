"""The demo from Python: its turns, and settings under which a recorded model answers them."""

from collections.abc import Generator
from contextlib import contextmanager

from ....schemas.turn import Turn
from ...replay.recording import replaying
from ...settings import Settings
from .recorded import read_recorded
from .sequence import FOLDER, read_sequence

RECORDINGS = FOLDER / "cassettes"
"""The recordings that ship with the package."""


def demo_turns() -> tuple[Turn, ...]:
    """The six turns of the document sequence, each in a conversation of its own."""
    return tuple(step.turn for step in read_sequence())


@contextmanager
def demo_replay() -> Generator[Settings, None, None]:
    """Settings under which recordings answer for the model: no key, no network."""
    made_with = read_recorded(RECORDINGS)
    with replaying(RECORDINGS):
        yield Settings(model=made_with.model, api_base=made_with.api_base, prompt=made_with.prompt)

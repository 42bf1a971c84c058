"""With which model and prompt a folder of recordings was made: a small file beside them."""

import tomllib
from pathlib import Path

from pydantic import ValidationError

from ....schemas.base import Shape
from ..exits import GivenError

_FILE = "recorded.toml"


class Recorded(Shape):
    """What a request must be made with to be found in the recordings.

    Attributes:
        prompt: The version of the prompt.
    """

    model: str
    api_base: str | None = None
    prompt: str


def read_recorded(folder: Path) -> Recorded:
    """What the recordings were made with.

    Raises:
        GivenError: If the folder holds no recordings of the demo.
    """
    path = folder / _FILE
    try:
        return Recorded.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (OSError, ValueError, ValidationError) as error:
        raise GivenError(
            f"{str(path)!r} cannot be read: these are no recordings of the demo. Make some with "
            "`henceforth demo --record DIR --model NAME`."
        ) from error


def write_recorded(folder: Path, recorded: Recorded) -> None:
    """Keep what the recordings were made with."""
    given = {name: value for name, value in recorded if value is not None}
    lines = [f"{name} = {_quoted(str(value))}" for name, value in given.items()]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _FILE).write_text("\n".join([*lines, ""]), "utf-8")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

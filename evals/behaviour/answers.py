"""One line for each labelled turn, in a file that a run can be taken up from."""

from collections.abc import Mapping
from pathlib import Path

from ...schemas.base import Shape
from ...schemas.labels import TurnLabels, Usage
from ...schemas.outcome import Labelled
from ..data.read import read_lines
from ..data.wanted import Unit
from ..errors import RunError


class Answered(Shape):
    """What a labeller said of one unit, or why it could not label it."""

    unit: str
    text_hash: str
    labelled: Labelled | None = None
    error: str | None = None

    @property
    def labels(self) -> TurnLabels | None:
        """The labels; None where there are none because it could not label."""
        return self.labelled.labels if self.labelled else None

    @property
    def usage(self) -> Usage | None:
        """What it cost; None where it could not label."""
        return self.labelled.usage if self.labelled else None


class Journal:
    """The finished turns of a run directory; a run without a directory keeps none.

    Attributes:
        path: The file, one JSON object a line.
    """

    def __init__(self, folder: Path | None, *, by: str) -> None:
        self._folder, self._by = folder, by
        self.path = folder / "answers.jsonl" if folder else None

    def finished(self) -> Mapping[str, Answered]:
        """The turns that an earlier run has labelled; those it could not label are tried anew.

        Raises:
            RunError: If the folder holds the run of another labeller.
        """
        if self._folder is None:
            return {}
        self._folder.mkdir(parents=True, exist_ok=True)
        self._check_labeller(self._folder / "labeller.txt")
        if self.path is None or not self.path.is_file():
            return {}
        self._cut_half_line(self.path)
        lines = read_lines(self.path, Answered)
        return {each.unit: each for each in lines if each.labelled is not None}

    def add(self, answered: Answered) -> None:
        """Write one more line."""
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(answered.model_dump_json(exclude_defaults=True) + "\n")

    def _check_labeller(self, note: Path) -> None:
        if not note.is_file():
            note.write_text(self._by + "\n", "utf-8")
        elif (found := note.read_text("utf-8").strip()) != self._by:
            raise RunError(
                f"{self._folder} holds the run of {found}, and this one is by {self._by}: "
                "name another folder. Nothing was run."
            )

    @staticmethod
    def _cut_half_line(path: Path) -> None:
        """Drop what a run that was killed left of its last line."""
        written = path.read_bytes()
        if written and not written.endswith(b"\n"):
            path.write_bytes(written[: written.rfind(b"\n") + 1])


def matches(answered: Answered, unit: Unit) -> bool:
    """Whether the answer is for the text that the unit has now."""
    return answered.unit == unit.id and answered.text_hash == unit.turn.text_hash

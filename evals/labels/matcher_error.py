"""How often the matcher is wrong, on pairs that people judged."""

from importlib.resources import as_file
from pathlib import Path
from typing import Literal

from pydantic import Field

from ...schemas.base import Shape
from ...schemas.labels import Polarity
from ..data.read import read_lines, suites_folder
from .matcher import Meant, match
from .verdict import Verdict


class Description(Shape):
    """One side of a pair, as it stands in the file."""

    dimensions: tuple[str, ...] = ()
    target: str | None = None
    value: str | None = None
    polarity: Polarity | None = None
    texts: tuple[str, ...] = ()

    @property
    def meant(self) -> Meant:
        """The same for the matcher."""
        return Meant(
            dimensions=frozenset(self.dimensions),
            target=self.target,
            value=self.value,
            polarity=self.polarity,
            texts=self.texts,
        )


class JudgedPair(Shape):
    """Two descriptions of a rule, and whether a person calls them the same.

    Attributes:
        part: The matcher was settled on `settling` and measured once on `held-out`.
        said: What the user said, for the reader; the matcher does not see it.
    """

    id: str = Field(min_length=1)
    one: Description
    other: Description
    same: bool
    part: Literal["settling", "held-out"] = "settling"
    said: str = ""


class MatcherError(Shape):
    """What the matcher does with the judged pairs.

    Attributes:
        wrong_same: Pairs it calls the same and people do not: the worse error.
        wrong_different: Pairs it calls different and people call the same.
        undecided: Pairs it leaves open.
    """

    pairs: int
    wrong_same: tuple[str, ...]
    wrong_different: tuple[str, ...]
    undecided: tuple[str, ...]

    @property
    def error_rate(self) -> float:
        """Wrong verdicts among the decided."""
        decided = self.pairs - len(self.undecided)
        return (len(self.wrong_same) + len(self.wrong_different)) / max(decided, 1)

    @property
    def undecided_rate(self) -> float:
        """How much it leaves open."""
        return len(self.undecided) / max(self.pairs, 1)


def judged_pairs() -> tuple[JudgedPair, ...]:
    """The pairs that ship with the package."""
    with as_file(suites_folder().joinpath("matcher_pairs.jsonl")) as path:
        return read_pairs(path)


def read_pairs(path: Path) -> tuple[JudgedPair, ...]:
    """The pairs of a JSON-lines file."""
    return read_lines(path, JudgedPair)


def error_by_part(pairs: tuple[JudgedPair, ...]) -> dict[str, MatcherError]:
    """The error over all pairs, and over each part of them."""
    found = {"all": matcher_error(pairs)}
    for part in sorted({pair.part for pair in pairs}):
        found[part] = matcher_error(tuple(pair for pair in pairs if pair.part == part))
    return found


def matcher_error(pairs: tuple[JudgedPair, ...]) -> MatcherError:
    """Run the matcher over the pairs, each both ways round."""
    verdicts = {pair.id: _verdict(pair) for pair in pairs}
    same = {pair.id: pair.same for pair in pairs}
    return MatcherError(
        pairs=len(pairs),
        wrong_same=tuple(i for i, v in verdicts.items() if v is Verdict.SAME and not same[i]),
        wrong_different=tuple(i for i, v in verdicts.items() if v is Verdict.DIFFERENT and same[i]),
        undecided=tuple(i for i, v in verdicts.items() if v is Verdict.UNDECIDED),
    )


def _verdict(pair: JudgedPair) -> Verdict:
    """One verdict for both directions; where they differ it is undecided."""
    one, other = pair.one.meant, pair.other.meant
    both = {match(one, other).verdict, match(other, one).verdict}
    return both.pop() if len(both) == 1 else Verdict.UNDECIDED

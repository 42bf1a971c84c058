"""Which files are meant, and a name for each that is the same on every machine."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import ENDINGS, NothingToReadError


@dataclass(frozen=True)
class Source:
    """A file to read.

    Attributes:
        name: What it is called in results: as short as tells it from the others, in the form of
            a path with slashes.
        asked: Whether it was named itself, and not just found in a folder.
    """

    path: Path
    name: str
    asked: bool = True


def found(paths: Iterable[Path]) -> tuple[Source, ...]:
    """The files that are meant, in an order that does not depend on the one they are named in.

    Raises:
        NothingToReadError: If one of the paths leads to no file.
    """
    by_file: dict[Path, tuple[int, bool]] = {}
    for path in paths:
        for file, depth in _files(path):
            shown, asked = by_file.get(file, (depth, False))
            by_file[file] = (min(shown, depth), asked or path.is_file())
    names = _names({file: depth for file, (depth, _) in by_file.items()})
    sources = (Source(file, names[file], asked) for file, (_, asked) in by_file.items())
    return tuple(sorted(sources, key=lambda each: each.name))


def _files(path: Path) -> Sequence[tuple[Path, int]]:
    """The files under the path, each with the number of parts of its name below it."""
    if path.is_file():
        return [(path.resolve(), 1)]
    inside = [
        (file.resolve(), len(file.relative_to(path).parts))
        for file in path.rglob("*")
        if file.is_file() and file.suffix.lower() in ENDINGS
    ]
    if not inside:
        raise NothingToReadError(path=path)
    return inside


def _names(depths: dict[Path, int]) -> dict[Path, str]:
    """Names by the last parts of the path, longer where two would be the same."""
    while True:
        names = {file: "/".join(file.parts[-depth:]) for file, depth in depths.items()}
        counts = Counter(names.values())
        clashing = [file for file, name in names.items() if counts[name] > 1]
        if not clashing:
            return names
        for file in clashing:
            depths[file] += 1

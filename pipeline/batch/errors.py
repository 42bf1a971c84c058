"""What can be wrong with the files and amounts that a caller of a batch command names.

UsageError
├── NothingToReadError      a path that leads to no transcript
├── UnknownFormatError      a file that no reader knows
├── MissingExtraError       a file that needs an extra
├── NoLabelFileError        a label file that is none, or not whole
├── TargetThereError        what should be written is there already
└── BudgetError             no amount, or one that nobody can keep count of
"""

from pathlib import Path

from ..errors import UsageError

ENDINGS = frozenset({".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet"})
"""The files that are taken from a folder."""


class NothingToReadError(UsageError):
    """What is named does not exist, or holds no file that could be a transcript."""

    def __init__(self, *, path: Path) -> None:
        what = "holds no transcripts" if path.exists() else "does not exist"
        super().__init__(
            f"{str(path)!r} {what}: name files, or folders with files ending in "
            f"{', '.join(sorted(ENDINGS))}. Nothing was read."
        )
        self.path = path


class UnknownFormatError(UsageError):
    """No reader knows the content of the file; nothing was read from it."""

    def __init__(self, *, file: str, known: tuple[str, ...]) -> None:
        super().__init__(
            f"{file!r} has none of the formats that can be read: {', '.join(known)}. Name the "
            "format, or for a table the columns, if it is one of them. Nothing was read from it."
        )
        self.file, self.known = file, known


class MissingExtraError(UsageError):
    """The file needs a library that is not installed."""

    def __init__(self, *, file: str, library: str) -> None:
        super().__init__(
            f"{file!r} cannot be read or written without {library!r}: install henceforth[batch]. "
            "Nothing was done with it."
        )
        self.file, self.library = file, library


class NoLabelFileError(UsageError):
    """What is named is missing, or no label file."""

    def __init__(self, *, path: Path, why: str) -> None:
        super().__init__(f"{str(path)!r} {why}. Nothing was done.")
        self.path = path


class TargetThereError(UsageError):
    """What should be written is there already: it may hold rules that people rely on."""

    def __init__(self, *, path: Path) -> None:
        super().__init__(
            f"{str(path)!r} is there already. Nothing was written: name another, or say that it "
            "is to be replaced."
        )
        self.path = path


class BudgetError(UsageError):
    """A budget that is neither money nor tokens, or one that nobody can keep count of."""

    def __init__(self, *, given: str, why: str) -> None:
        super().__init__(f"the budget {given!r} {why}.")
        self.given = given

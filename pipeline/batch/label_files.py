"""From the rows of label files, whatever their form, to rows in memory and back."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from .errors import NoLabelFileError
from .extras import library

PARTS = 64
"""Subjects are dealt into so many parts, always the same way: it decides the order of output."""


@dataclass(frozen=True)
class Line:
    """A row as text, and whose it is."""

    subject: str
    text: str


def lines(path: Path) -> Iterator[Line]:
    """The rows of a label file, JSON lines or Parquet, one at a time.

    Raises:
        NoLabelFileError: If the file is missing or no label file.
        MissingExtraError: If it is Parquet, and pyarrow is not installed.
    """
    try:
        with path.open("rb") as file:
            is_parquet = file.read(4) == b"PAR1"
    except OSError as error:
        raise NoLabelFileError(path=path, why=f"cannot be read: {error.strerror}") from error
    return _of_parquet(path) if is_parquet else _of_lines(path)


def _of_lines(path: Path) -> Iterator[Line]:
    with path.open(encoding="utf-8", newline="\n") as file:
        for number, text in enumerate(file, start=1):
            yield Line(_subject(text, path, number), text.rstrip("\n"))


def _subject(text: str, path: Path, number: int) -> str:
    try:
        return str(json.loads(text)["subject"])
    except (ValueError, KeyError, TypeError) as error:
        raise NoLabelFileError(path=path, why=f"has no label row in line {number}") from error


def _of_parquet(path: Path) -> Iterator[Line]:
    invalid: Any = library("pyarrow", file=str(path)).ArrowInvalid
    parquet = library("pyarrow.parquet", file=str(path))
    try:
        with parquet.ParquetFile(path) as file:
            batches: Iterable[Any] = file.iter_batches(columns=["subject", "row"])
            for batch in batches:
                for row in batch.to_pylist():
                    yield Line(row["subject"], row["row"])
    except (invalid, KeyError) as error:
        raise NoLabelFileError(path=path, why=f"is no whole label file: {error}") from error


def part_of(subject: str) -> int:
    """Which part the subject is dealt into."""
    digest = blake2b(subject.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % PARTS


def deal(paths: list[Path], folder: Path) -> list[Path]:
    """Write the rows of all files into parts, so that each subject is whole in one of them.

    Returns:
        The file of each part, in order.
    """
    parts = [folder / f"part-{number:02}" for number in range(PARTS)]
    files = [part.open("w", encoding="utf-8", newline="\n") for part in parts]
    try:
        for path in paths:
            for line in lines(path):
                files[part_of(line.subject)].write(line.text + "\n")
    finally:
        for file in files:
            file.close()
    return parts

"""Take a file apart into records, one at a time: JSON lines, a JSON array, CSV, Parquet."""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

from ..extras import library
from .said import Place, Raw

_SNIFFED = 65536


@dataclass
class Meter:
    """How far files are read, in bytes."""

    done: int = 0


def records(path: Path, name: str, meter: Meter | None = None) -> Iterator[Raw]:
    """The records of the file; a broken one has a fault instead of a value.

    Args:
        path: The file.
        name: What it is called in places.
        meter: Told how far the file is read.
    """
    meter = meter or Meter()
    with path.open("rb") as file:
        head = file.read(_SNIFFED).removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"PAR1"):
        return _parquet(path, name, meter)
    if path.suffix.lower() in {".csv", ".tsv"}:
        return _csv(path, name, meter)
    if head.startswith(b"[") and not _is_line(head):
        return _elements(path, name, "item", meter)
    if head.startswith(b"{") and not _is_line(head):
        return _elements(path, name, "", meter)
    return _lines(path, name, meter)


def _is_line(head: bytes) -> bool:
    """Whether the first line is a JSON value of its own, or longer than what was read of it."""
    line, newline, _ = head.partition(b"\n")
    if not newline and len(head) >= _SNIFFED - 4:
        return head.startswith(b"{")
    try:
        value = json.loads(line)
    except ValueError:
        # A broken first line of many is a broken line; one that just opens a value is no line.
        return head.startswith(b"{") and bool(newline) and line.rstrip().endswith(b"}")
    return isinstance(value, dict)


def _lines(path: Path, name: str, meter: Meter) -> Iterator[Raw]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            meter.done += len(line)
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if line.strip():
                yield _line(line, Place(name, number))


def _line(line: bytes, place: Place) -> Raw:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Raw(place, fault=f"no JSON: {error}", raw=line.decode("utf-8", "replace").rstrip())
    return Raw(place, value)


def _elements(path: Path, name: str, prefix: str, meter: Meter) -> Iterator[Raw]:
    ijson = library("ijson", file=name)
    number, before = 0, meter.done
    with path.open("rb") as file:
        _skip_mark(file)
        try:
            for number, value in enumerate(ijson.items(file, prefix, use_float=True), start=1):
                meter.done = before + file.tell()
                yield Raw(Place(name, number), value)
        except (ijson.JSONError, UnicodeDecodeError) as error:
            fault = f"no JSON, and what follows in this file cannot be read: {error}"
            yield Raw(Place(name, number + 1), fault=fault, raw="")


def _skip_mark(file: BinaryIO) -> None:
    if file.read(3) != b"\xef\xbb\xbf":
        file.seek(0)


def _csv(path: Path, name: str, meter: Meter) -> Iterator[Raw]:
    csv.field_size_limit(2**31 - 1)
    before = meter.done
    with (
        path.open("rb") as raw,
        TextIOWrapper(raw, encoding="utf-8-sig", errors="replace", newline="") as file,
    ):
        delimiter = "\t" if path.suffix.lower() == ".tsv" else _delimiter(file.readline())
        file.seek(0)
        rows = csv.DictReader(file, delimiter=delimiter)
        line = 2
        try:
            for row in rows:
                meter.done = before + raw.tell()
                yield _csv_row(row, Place(name, line))
                line = rows.line_num + 1
        except csv.Error as error:
            yield Raw(Place(name, line), fault=f"no CSV: {error}", raw="")


def _delimiter(header: str) -> str:
    return max(",;\t|", key=header.count)


def _csv_row(row: dict[str | Any, str | Any], place: Place) -> Raw:
    if None in row or None in row.values():
        fault = "the row has more or fewer cells than the header"
        return Raw(place, fault=fault, raw=json.dumps(list(row.values()), ensure_ascii=False))
    return Raw(place, row)


def _parquet(path: Path, name: str, meter: Meter) -> Iterator[Raw]:
    parquet = library("pyarrow.parquet", file=name)
    number, size = 0, path.stat().st_size
    with parquet.ParquetFile(path) as file:
        batches: Iterable[Any] = file.iter_batches(batch_size=1024)
        for batch in batches:
            meter.done += size * batch.num_rows // max(file.metadata.num_rows, 1)
            for row in batch.to_pylist():
                number += 1
                yield Raw(Place(name, number), row)

"""Write label rows to a file: beside its place until it is whole, then there in one step."""

import json
from pathlib import Path
from typing import Any, Protocol

from .extras import library
from .readers import Reject
from .row import ROW, LabelRow

_GROUP = 8192
"""Rows of a row group."""

PARQUET = ".parquet"
PARTIAL = ".partial"

COLUMNS = ("subject", "turn", "said_at", "status", "file", "line", "language", "why", "row")
"""The columns of a Parquet label file; `row` holds the whole row as JSON."""


class Sink(Protocol):
    """Takes rows, in order."""

    def write(self, row: LabelRow) -> None:
        """Take one row more."""
        ...

    def close(self, *, whole: bool) -> Path:
        """Finish the file; where not all rows came, it stays beside its place. Where it is."""
        ...


def sink(path: Path) -> Sink:
    """What writes the file: Parquet if its name says so, else JSON lines."""
    return ParquetSink(path) if path.suffix.lower() == PARQUET else LinesSink(path)


def partial(path: Path) -> Path:
    """Where a file is until it is whole."""
    return path.with_name(path.name + PARTIAL)


class LinesSink:
    """One JSON record a line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = partial(path).open("w", encoding="utf-8", newline="\n")

    def write(self, row: LabelRow) -> None:
        """Take one row more."""
        self._file.write(ROW.dump(row) + "\n")

    def close(self, *, whole: bool) -> Path:
        """Finish the file."""
        self._file.close()
        return _placed(self._path, whole=whole)


class ParquetSink:
    """Columns to filter by, and the record itself as JSON."""

    def __init__(self, path: Path) -> None:
        self._arrow = library("pyarrow", file=str(path))
        parquet = library("pyarrow.parquet", file=str(path))
        self._path = path
        self._schema = arrow_schema()
        self._writer = parquet.ParquetWriter(partial(path), self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def write(self, row: LabelRow) -> None:
        """Take one row more."""
        self._rows.append(columns_of(row))
        if len(self._rows) >= _GROUP:
            self._write_group()

    def close(self, *, whole: bool) -> Path:
        """Finish the file."""
        self._write_group()
        self._writer.close()
        return _placed(self._path, whole=whole)

    def _write_group(self) -> None:
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, self._schema))
            self._rows.clear()


def arrow_schema() -> Any:
    """The Arrow schema of label rows."""
    arrow = library("pyarrow", file="Arrow batches")
    types = {"line": arrow.int64()}
    return arrow.schema([(name, types.get(name, arrow.string())) for name in COLUMNS])


def columns_of(row: LabelRow) -> dict[str, Any]:
    """The row in the columns of a Parquet file."""
    return {
        "subject": row.subject,
        "turn": row.turn,
        "said_at": row.entry.said_at.isoformat() if row.entry else None,
        "status": row.status.value,
        "file": row.file.encode("utf-8", "replace").decode(),
        "line": row.line,
        "language": row.language,
        "why": row.why and row.why.encode("utf-8", "replace").decode(),
        "row": ROW.dump(row),
    }


class RejectsFile:
    """Keeps the records that could not be read; there is no file where there are none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: Any = None

    def write(self, reject: Reject) -> None:
        """Keep one record."""
        if self._file is None:
            self._file = partial(self.path).open("w", encoding="utf-8", newline="\n")
        place = {"file": reject.place.file, "line": reject.place.line}
        self._file.write(json.dumps({**place, "why": reject.why, "raw": reject.raw}) + "\n")

    def close(self) -> None:
        """Finish the file, and remove that of a run before if this one rejects nothing."""
        if self._file is None:
            self.path.unlink(missing_ok=True)
            return
        self._file.close()
        _placed(self.path, whole=True)


def _placed(path: Path, *, whole: bool) -> Path:
    written = partial(path)
    return written.replace(path) if whole else written

"""From label files to a store per subject: the same bytes with any number of workers."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from ...schemas.rule import State
from ...schemas.versions import stamped
from ..replay.file_names import file_name
from ..stores.sql import SqlStore
from . import sinks
from .errors import TargetThereError
from .folding import RECONCILED, Reconciled, Terms, fold_rows
from .label_files import deal
from .parts import by_subject, over

DATABASE_ENDINGS = frozenset({".db", ".sqlite", ".sqlite3"})


@dataclass
class Totals:
    """What was written."""

    subjects: int = 0
    turns: int = 0
    rules: int = 0
    in_force: int = 0
    questions: int = 0

    def add(self, reconciled: Reconciled) -> None:
        """Count one subject."""
        rules = reconciled.write.rules
        self.subjects += 1
        self.turns += len(reconciled.write.entries)
        self.rules += len(rules)
        self.in_force += sum(rule.state is State.ACTIVE for rule in rules)
        self.questions += len(reconciled.write.questions)


class Target(Protocol):
    """Takes subjects, one after the other."""

    def put(self, reconciled: Reconciled) -> None:
        """Take one subject."""
        ...

    def close(self) -> None:
        """Put what was written in its place."""
        ...


def reconcile_files(
    files: Sequence[Path], out: Path, terms: Terms, *, workers: int = 1, replace: bool = False
) -> Totals:
    """Fold the labels of every subject into a database or a folder.

    The output is written beside its place and put there when it is whole. Its bytes depend on
    the rows alone: not on the order of files or rows, nor on the number of workers.

    Raises:
        TargetThereError: If the output is there and is not to be replaced.
        NoLabelFileError: If one of the files is no label file.
    """
    if out.exists() and not replace:
        raise TargetThereError(path=out)
    with TemporaryDirectory(prefix="henceforth-", dir=out.absolute().parent) as scratch:
        return write_all(_reconciled(files, Path(scratch), terms, workers), out)


def write_all(reconciled: Iterable[Reconciled], out: Path) -> Totals:
    """Write subjects that come in the order of parts, and within a part sorted."""
    totals, target = Totals(), target_for(out)
    for each in reconciled:
        target.put(each)
        totals.add(each)
    target.close()
    return totals


def _reconciled(
    files: Sequence[Path], scratch: Path, terms: Terms, workers: int
) -> Iterator[Reconciled]:
    parts = deal(list(files), scratch)
    for done in over(parts, partial(fold_part, terms=terms), workers=workers):
        with done.open(encoding="utf-8", newline="\n") as file:
            for line in file:
                yield RECONCILED.load(line, where=done.name)
        done.unlink()


def fold_part(part: Path, *, terms: Terms) -> Path:
    """Fold every subject of a part into a file beside it."""
    done = part.with_name(part.name + "-done")
    with done.open("w", encoding="utf-8", newline="\n") as file:
        for subject, rows in by_subject(part):
            reconciled = fold_rows(subject, rows, terms)
            if reconciled.write.entries:
                file.write(RECONCILED.dump(reconciled) + "\n")
    part.unlink()
    return done


def target_for(out: Path) -> Target:
    """A database, if the name is one of a database; else a folder."""
    is_database = out.suffix.lower() in DATABASE_ENDINGS
    return _Database(out) if is_database else _Folder(out)


class _Database:
    """One SQLite file, which any henceforth command can be given."""

    def __init__(self, out: Path) -> None:
        self._out, self._partial = out, sinks.partial(out)
        _remove(self._partial)
        self._store = SqlStore(self._partial)

    def put(self, reconciled: Reconciled) -> None:
        self._store.commit(reconciled.subject, reconciled.write, version=0)

    def close(self) -> None:
        self._store.close()
        for ending in ("-wal", "-shm"):
            self._out.with_name(self._out.name + ending).unlink(missing_ok=True)
        self._partial.replace(self._out)


class _Folder:
    """One JSON file a subject."""

    def __init__(self, out: Path) -> None:
        self._out, self._partial = out, sinks.partial(out)
        _remove(self._partial)
        self._partial.mkdir(parents=True)

    def put(self, reconciled: Reconciled) -> None:
        write = reconciled.write
        record = {
            "subject": reconciled.subject,
            "rules": [each.model_dump(mode="json") for each in write.rules],
            "questions": [each.model_dump(mode="json") for each in write.questions],
            "ledger": [entry.model_dump(mode="json") for entry, _ in write.entries],
        }
        path = self._partial / f"{file_name(reconciled.subject)}.json"
        path.write_text(json.dumps(stamped(record), indent=1) + "\n", "utf-8", newline="\n")

    def close(self) -> None:
        _remove(self._out)
        self._partial.replace(self._out)


def _remove(path: Path) -> None:
    if path.is_dir():
        from shutil import rmtree

        rmtree(path)
    else:
        for each in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
            each.unlink(missing_ok=True)

"""The shapes as JSON Schemas, for other languages: `python -m henceforth.schemas.export DIR`."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from .context import Context
from .dimensions import Registry
from .history import Difference, Erased, Explanation, Happened
from .in_force import InForce
from .labels import Label, TurnLabels
from .ledger import LedgerEntry
from .outcome import Labelled, Outcome
from .plan import Change, Plan, Question
from .rule import Rule
from .turn import Turn
from .versions import SCHEMA_VERSION


@dataclass(frozen=True)
class Exported:
    """A shape that has a JSON Schema of its own.

    Attributes:
        says: What it is, in one line.
    """

    shape: Any
    says: str


SHAPES: Mapping[str, Exported] = {
    "turn": Exported(Turn, "A user turn, as it is observed."),
    "context": Exported(Context, "Where a turn is said or a reply is written."),
    "label": Exported(Label, "One instruction in a turn."),
    "turn-labels": Exported(TurnLabels, "All that one turn says."),
    "labelled": Exported(Labelled, "What labelling one turn gave: `label --json`."),
    "outcome": Exported(Outcome, "What became of a turn or a command: `observe --json`."),
    "change": Exported(Change, "One change to the store, with its row of the reconcile table."),
    "plan": Exported(Plan, "All that one ledger entry changes."),
    "question": Exported(Question, "Something only the user can say."),
    "rule": Exported(Rule, "A rule as it is kept."),
    "in-force": Exported(InForce, "The rules in force for one moment: `rules --json`."),
    "ledger-entry": Exported(LedgerEntry, "One entry of the append-only ledger."),
    "happened": Exported(Happened, "One entry of `history --json`."),
    "explanation": Exported(Explanation, "Why a rule is as it is: `explain --json`."),
    "difference": Exported(Difference, "The state before and after a turn: `diff --json`."),
    "erased": Exported(Erased, "What an erase removed: `erase --json`."),
    "registry": Exported(Registry, "The registry of dimensions."),
}
"""By the name of the file and of `henceforth schema NAME`."""


def json_schema(name: str) -> str:
    """The JSON Schema of a shape, always the same text for the same shape."""
    schema = TypeAdapter(SHAPES[name].shape).json_schema(mode="validation")
    if "properties" in schema:  # what is stored and printed carries its version
        schema["properties"] |= {"schema_version": {"const": SCHEMA_VERSION}}
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "description": SHAPES[name].says,
        "x-schema-version": SCHEMA_VERSION,
    }
    return json.dumps({**schema, **head}, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def export(folder: Path) -> None:
    """Write all of them, one file a shape, and remove the files of shapes that are gone."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in {path.stem for path in folder.glob("*.json")} - SHAPES.keys():
        (folder / f"{stale}.json").unlink()
    for name in SHAPES:
        (folder / f"{name}.json").write_text(json_schema(name), "utf-8")


if __name__ == "__main__":
    export(Path(sys.argv[1]))

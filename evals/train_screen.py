"""Train the small judge in `pipeline/screen` on labelled turns. Needs scikit-learn; nothing else does.

    python -m henceforth.evals.train_screen train.jsonl --probes probes.jsonl

The turns are those that the judge may learn from, never those that score it. Figures printed are
of five-fold cross-validation: every turn is judged by weights that never saw it.
"""

import argparse
import base64
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from ..pipeline.screen.features import BUCKETS, Features, features_of, plain, sentences
from ..schemas.ids import TurnId
from ..schemas.turn import Message, Role, Turn

INTENTS = ("durable", "this_task", "forget", "retire", "inferred")
HEADS: Mapping[str, Callable[[set[str]], bool]] = {
    "any": bool,
    "store": lambda intents: bool(intents - {"this_task"}),
    **{intent: lambda intents, it=intent: it in intents for intent in INTENTS},
}
WEIGHTS = Path(__file__).parent.parent / "pipeline" / "screen" / "weights.json"


def main() -> None:
    """Train, print what cross-validation says, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("turns", type=Path)
    parser.add_argument("--probes", type=Path)
    given = parser.parse_args()
    rows = _rows(given.turns)
    probes = {each["id"]: each for each in _rows(given.probes)} if given.probes else {}
    data = _Data(rows)
    held_out = {name: data.held_out(name) for name in HEADS}
    weights = {"buckets": BUCKETS, "heads": {name: data.trained(name) for name in HEADS}}
    weights |= _decisions(rows, held_out, probes)
    WEIGHTS.write_text(json.dumps(weights, indent=1) + "\n", "utf-8")


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def turn_of(row: Mapping[str, Any]) -> Turn:
    """The turn of a labelled row."""
    before = [Message(role=Role(m["role"]), text=m["text"]) for m in row.get("before") or ()]
    return Turn(id=TurnId(row["id"]), text=row["turn"], said_at=datetime.now(UTC), before=tuple(before))


def _intents(row: Mapping[str, Any]) -> set[str]:
    return {label["intent"] for label in row["labels"]}


def _said_in(row: Mapping[str, Any], sentence: str) -> set[str]:
    """The intents of the labels whose quotes stand in the sentence."""
    here = plain(sentence)
    found: set[str] = set()
    for label in row["labels"]:
        quotes = label["quote"] if isinstance(label["quote"], list) else [label["quote"]]
        said = [plain(quote) for quote in quotes]
        inside = any(it in here or (len(here) > 4 and here.strip(".!?。") in it) for it in said)
        if inside:
            found.add(label["intent"])
    return found


class _Data:
    """The sentences of all turns as one matrix, and whose they are."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self.rows = rows
        found: list[Features] = []
        self.said: list[set[str]] = []
        owners: list[int] = []
        for number, row in enumerate(rows):
            turn = turn_of(row)
            for sentence, features in zip(sentences(turn.text), features_of(turn), strict=True):
                found.append(features)
                self.said.append(_said_in(row, sentence))
                owners.append(number)
        self.owner = np.array(owners)
        self.matrix = _matrix(found)
        kinds = ["+".join(sorted(_intents(row))) for row in rows]
        rare = {kind for kind in kinds if kinds.count(kind) < 5}
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        self.folds = list(folds.split(rows, ["rare" if kind in rare else kind for kind in kinds]))

    def _targets(self, name: str) -> Any:
        return np.array([HEADS[name](each) for each in self.said])

    def held_out(self, name: str) -> Any:
        """For each turn the highest score of its sentences, by weights that never saw the turn."""
        targets, scores = self._targets(name), np.zeros(len(self.said))
        for seen, unseen in self.folds:
            train, test = np.isin(self.owner, seen), np.isin(self.owner, unseen)
            model = _model().fit(self.matrix[train], targets[train])
            scores[test] = model.decision_function(self.matrix[test])
        return np.array([scores[self.owner == number].max() for number in range(len(self.rows))])

    def trained(self, name: str) -> dict[str, Any]:
        """The weights of a head from all turns: n-grams in one byte each, the rest as numbers."""
        model = _model().fit(self.matrix, self._targets(name))
        ngrams, dense = model.coef_[0][:BUCKETS], model.coef_[0][BUCKETS:]
        scale = float(np.abs(ngrams).max() / 127)
        packed = base64.b64encode(np.round(ngrams / scale).astype(np.int8).tobytes()).decode()
        return {
            "bias": round(float(model.intercept_[0]), 4),
            "scale": scale,
            "dense": [round(float(each), 4) for each in dense],
            "ngrams": packed,
        }


def _model() -> LogisticRegression:
    return LogisticRegression(C=3, max_iter=400, class_weight="balanced")


def _matrix(found: Iterable[Features]) -> Any:
    values: list[float] = []
    columns: list[int] = []
    ends = [0]
    width = BUCKETS
    for each in found:
        values += [*each.ngrams.values(), *each.dense]
        columns += [*each.ngrams, *range(BUCKETS, BUCKETS + len(each.dense))]
        width = BUCKETS + len(each.dense)
        ends.append(len(values))
    return csr_matrix((values, columns, ends), shape=(len(ends) - 1, width))


def _decisions(
    rows: Sequence[Mapping[str, Any]],
    held_out: Mapping[str, Any],
    probes: Mapping[str, Mapping[str, float]],
) -> dict[str, Any]:
    """How scores become decisions: the gate, and the judges with and without the model's word."""
    heads = np.array([held_out[name] for name in HEADS]).T
    asked = np.array([row["id"] in probes for row in rows])
    words = np.array([_words(probes.get(row["id"])) for row in rows])
    gate = float(np.quantile(held_out["any"][[bool(row["labels"]) for row in rows]], 0.01))
    _say("gate", held_out["any"], [bool(row["labels"]) for row in rows])
    return {
        "gate": round(gate, 4),
        "alone": _judges(rows, heads, np.ones(len(rows), bool)),
        "with_model": _judges(rows, np.c_[heads, words], asked) if asked.any() else None,
    }


def _words(probe: Mapping[str, float] | None) -> list[float]:
    return [probe["rule"], probe["cancel"]] if probe else [0.0, 0.0]


def _judges(rows: Sequence[Mapping[str, Any]], scores: Any, used: Any) -> dict[str, Any]:
    mean, spread = scores[used].mean(0), scores[used].std(0)
    scaled = (scores - mean) / spread
    judges: dict[str, Any] = {}
    for name, meant in HEADS.items():
        targets = np.array([meant(_intents(row)) for row in rows])
        model = LogisticRegression(C=0.1, class_weight="balanced")
        said = cross_val_predict(
            model, scaled[used], targets[used], cv=8, method="decision_function"
        )
        _say(f"{name} of {used.sum()}", said, targets[used])
        model.fit(scaled[used], targets[used])
        weights = model.coef_[0] / spread
        bias = float(model.intercept_[0] - (weights * mean).sum())
        judges[name] = {
            "bias": round(bias, 5),
            "weights": [round(float(each), 5) for each in weights],
        }
    return judges


def _say(name: str, scores: Any, targets: Any) -> None:
    false, true, _ = roc_curve(targets, scores)
    at_8, at_99 = np.interp(0.08, false, true), 1 - false[np.argmax(true >= 0.99)]
    area = roc_auc_score(targets, scores)
    print(f"{name:24} AUC {area:.3f}  recall at 8 % false {at_8:.2f}  empty skipped at 99 % {at_99:.2f}")


if __name__ == "__main__":
    main()

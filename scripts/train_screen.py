"""Train the small judge in `pipeline/labelling/screen`. Only this needs scikit-learn.

    python scripts/train_screen.py train.jsonl

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

from henceforth.pipeline.labelling.screen.features import (
    BUCKETS,
    Features,
    features_of,
    plain,
    sentences,
)
from henceforth.schemas.ids import TurnId
from henceforth.schemas.turn import Message, Role, Turn

INTENTS = ("durable", "this_task", "forget", "retire", "inferred")
HEADS: Mapping[str, Callable[[set[str]], bool]] = {
    "any": bool,
    "store": lambda intents: bool(intents - {"this_task"}),
    **{intent: lambda intents, it=intent: it in intents for intent in INTENTS},
}
WEIGHTS = Path(__file__).parent.parent / "pipeline" / "labelling" / "screen" / "weights.json"


def main() -> None:
    """Train, print what cross-validation says, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("turns", type=Path)
    rows = _rows(parser.parse_args().turns)
    data = _Data(rows)
    scores = np.array([data.held_out(data.intent(name)) for name in HEADS]).T
    weights = {
        "gate": _gate(rows, scores[:, 0]),
        "judges": _judges(rows, scores),
        "heads": {name: data.trained(data.intent(name)) for name in HEADS},
    }
    WEIGHTS.write_text(json.dumps(weights, indent=1) + "\n", "utf-8")


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def turn_of(row: Mapping[str, Any]) -> Turn:
    """The turn of a labelled row."""
    before = [Message(role=Role(m["role"]), text=m["text"]) for m in row.get("before") or ()]
    return Turn(
        id=TurnId(row["id"]), text=row["turn"], said_at=datetime.now(UTC), before=tuple(before)
    )


def _intents(row: Mapping[str, Any]) -> set[str]:
    return {label["intent"] for label in row["labels"]}


def _said_in(row: Mapping[str, Any], sentence: str) -> list[Mapping[str, Any]]:
    """The labels whose quotes stand in the sentence."""
    here = plain(sentence)
    found: list[Mapping[str, Any]] = []
    for label in row["labels"]:
        quotes = label["quote"] if isinstance(label["quote"], list) else [label["quote"]]
        said = [plain(quote) for quote in quotes]
        inside = any(it in here or (len(here) > 4 and here.strip(".!?。") in it) for it in said)
        if inside:
            found.append(label)
    return found


class _Data:
    """The sentences of all turns as one matrix, and whose they are."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self.rows = rows
        found: list[Features] = []
        self.said: list[list[Mapping[str, Any]]] = []
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

    def intent(self, name: str) -> Any:
        """Of each sentence whether its intents are those of the head."""
        return np.array([HEADS[name]({it["intent"] for it in said}) for said in self.said])

    def held_out(self, targets: Any) -> Any:
        """For each turn the highest score of its sentences, by weights that never saw the turn."""
        scores = np.zeros(len(self.said))
        for seen, unseen in self.folds:
            train, test = np.isin(self.owner, seen), np.isin(self.owner, unseen)
            model = _model().fit(self.matrix[train], targets[train])
            scores[test] = model.decision_function(self.matrix[test])
        return np.array([scores[self.owner == number].max() for number in range(len(self.rows))])

    def trained(self, targets: Any) -> dict[str, Any]:
        """The weights of a head from all turns: n-grams in one byte each, the rest as numbers."""
        model = _model().fit(self.matrix, targets)
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


def _gate(rows: Sequence[Mapping[str, Any]], scores: Any) -> float:
    """The score that 99 of 100 turns with an instruction reach."""
    labelled = np.array([bool(row["labels"]) for row in rows])
    _say("gate", scores, labelled)
    return round(float(np.quantile(scores[labelled], 0.01)), 4)


def _judges(rows: Sequence[Mapping[str, Any]], scores: Any) -> dict[str, Any]:
    """One decision for each head from the scores of all of them."""
    mean, spread = scores.mean(0), scores.std(0)
    scaled = (scores - mean) / spread
    judges: dict[str, Any] = {}
    held_out: dict[str, Any] = {}
    for name, meant in HEADS.items():
        targets = np.array([meant(_intents(row)) for row in rows])
        model = LogisticRegression(C=0.1, class_weight="balanced")
        held_out[name] = cross_val_predict(model, scaled, targets, cv=8, method="decision_function")
        _say(name, held_out[name], targets)
        model.fit(scaled, targets)
        weights = model.coef_[0] / spread
        judges[name] = {
            "bias": round(float(model.intercept_[0] - (weights * mean).sum()), 5),
            "weights": [round(float(each), 5) for each in weights],
        }
    _curve(rows, held_out["store"])
    return judges


def _curve(rows: Sequence[Mapping[str, Any]], scores: Any) -> None:
    """False stores against recall, for each threshold that could be chosen."""
    stored = np.array([HEADS["store"](_intents(row)) for row in rows])
    for threshold in np.arange(-0.5, 2.01, 0.25):
        said = scores >= threshold
        false, recall = said[~stored].mean(), said[stored].mean()
        print(f"store >= {threshold:5.2f}  false {false:.3f}  recall {recall:.3f}")


def _say(name: str, scores: Any, targets: Any) -> None:
    false, true, _ = roc_curve(targets, scores)
    at_8, at_99 = np.interp(0.08, false, true), 1 - false[np.argmax(true >= 0.99)]
    area = roc_auc_score(targets, scores)
    print(f"{name:12} AUC {area:.3f}  recall at 8 % false {at_8:.2f}  skipped at 99 % {at_99:.2f}")


if __name__ == "__main__":
    main()

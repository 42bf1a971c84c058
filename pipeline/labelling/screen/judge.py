"""Turn what is seen of a turn into the intents that it may hold. Pure; asks no model.

The weights come from `scripts/train_screen.py`; the thresholds were chosen on the same turns.
"""

import base64
import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from ....schemas.labels import Intent
from ....schemas.turn import Turn
from .features import Features, features_of, sentences


@dataclass(frozen=True)
class Head:
    """One trained question: a weight for each n-gram bucket, and for each other feature."""

    bias: float
    ngrams: Sequence[float]
    dense: tuple[float, ...]

    def score(self, seen: Features) -> float:
        """How far the sentence leans to yes."""
        by_ngram = sum(self.ngrams[bucket] * value for bucket, value in seen.ngrams.items())
        by_other = sum(w * value for w, value in zip(self.dense, seen.dense, strict=True) if value)
        return self.bias + by_ngram + by_other


@dataclass(frozen=True)
class Judge:
    """One trained decision over the scores of all heads."""

    bias: float
    weights: tuple[float, ...]

    def score(self, scores: Sequence[float]) -> float:
        """How far it leans to yes."""
        return self.bias + sum(w * s for w, s in zip(self.weights, scores, strict=True))


@dataclass(frozen=True)
class Weights:
    """All that was trained.

    Attributes:
        gate: Below this score of the head `any` a turn is surely empty.
    """

    gate: float
    heads: Mapping[str, Head]
    judges: Mapping[str, Judge]


STORE = 0.6
"""From here on a turn leaves a record. Higher: fewer false records, and fewer right ones."""
ONCE = 0.45
"""From here on a turn that leaves no record says how the task in hand is to be done."""
BESIDE = 1.0
"""From here on a further intent may stand beside the first."""

LONG = 400
"""Characters from which on a turn is mostly something pasted, with the user's word at an end."""
STRICTER = 0.35
"""How much more it takes for the first or last sentence of a long turn, judged by itself."""

_LASTING = (Intent.DURABLE, Intent.FORGET, Intent.RETIRE, Intent.INFERRED)


def scores_of(turn: Turn) -> tuple[float, ...]:
    """What each head makes of the turn: the highest of its sentences."""
    seen = list(features_of(turn))
    return tuple(max(head.score(each) for each in seen) for head in weights().heads.values())


def surely_empty(turn: Turn) -> bool:
    """Whether no model needs to be asked: 99 of 100 turns with an instruction are not so.

    A long turn never is: much of it may be somebody else's words.
    """
    scores = dict(zip(weights().heads, scores_of(turn), strict=True))
    return len(turn.text) <= LONG and scores["any"] < weights().gate


def intents_of(turn: Turn) -> tuple[Intent, ...]:
    """The intents that the turn may hold, the likeliest first; none if it holds no instruction."""
    found = intents_in(scores_of(turn))
    if found or len(turn.text) <= LONG:
        return found
    parts = sentences(turn.text)
    ends = (turn.model_copy(update={"text": part}) for part in (parts[-1], parts[0]))
    return next(filter(None, (intents_in(scores_of(it), stricter=STRICTER) for it in ends)), ())


def intents_in(scores: Sequence[float], *, stricter: float = 0.0) -> tuple[Intent, ...]:
    """The intents that the scores speak for, the likeliest first."""
    leans = {name: judge.score(scores) for name, judge in weights().judges.items()}
    if leans["store"] >= STORE + stricter:
        first = max(_LASTING, key=lambda intent: leans[intent])
        return (first, *_beside(first, leans))
    if leans[Intent.THIS_TASK] >= ONCE + stricter:
        return (Intent.THIS_TASK,)
    return ()


def _beside(first: Intent, leans: Mapping[str, float]) -> Iterable[Intent]:
    return (each for each in Intent if each is not first and leans[each] >= BESIDE)


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights that ship."""
    raw = files(__name__.rpartition(".")[0]).joinpath("weights.json").read_text("utf-8")
    data = json.loads(raw)
    return Weights(
        gate=data["gate"],
        heads={name: _head(**fields) for name, fields in data["heads"].items()},
        judges={name: _judge(**fields) for name, fields in data["judges"].items()},
    )


def _head(*, bias: float, scale: float, dense: list[float], ngrams: str) -> Head:
    packed = array("b", base64.b64decode(ngrams))
    return Head(bias, array("d", (each * scale for each in packed)), tuple(dense))


def _judge(*, bias: float, weights: list[float]) -> Judge:
    return Judge(bias, tuple(weights))

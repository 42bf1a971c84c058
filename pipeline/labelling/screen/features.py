"""What the small judge sees of a sentence: n-grams, cues of many languages, form. Pure."""

import math
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import combinations, pairwise
from zlib import crc32

from ....schemas.turn import Role, Turn

BUCKETS = 1 << 15
"""Words and letters share this many weights; what collides shares a weight."""

LONGEST_SENTENCE = 400
MOST_SENTENCES = 60

_ENDS = re.compile(r"(?<=[.!?…؟।;\uff1b])\s+|(?<=[。\uff01\uff1f])|\n+")
_WORDS = re.compile(r"\w+|[?!؟\uff1f]")
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_QUOTING = '"“”«»「」『』„'
_ASKING = "?؟\uff1f"


@dataclass(frozen=True)
class Features:
    """One sentence as numbers: hashed n-grams by bucket, and a fixed row of others."""

    ngrams: Mapping[int, float]
    dense: tuple[float, ...]


def plain(text: str) -> str:
    """Lower case, one kind of each character, single spaces."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).strip().lower()


def sentences(text: str) -> list[str]:
    """The text cut where a sentence or a line ends, in any script; the last of a long text."""
    found = [part for part in _ENDS.split(text) if part and part.strip()]
    return found[-MOST_SENTENCES:] or [text]


def features_of(turn: Turn) -> Iterator[Features]:
    """The features of each sentence of the turn."""
    parts = sentences(turn.text)
    for index, part in enumerate(parts):
        sentence = plain(part)[:LONGEST_SENTENCE]
        answered = _answered(turn) if len(sentence) < 80 else ""
        yield Features(
            ngrams=_ngrams(sentence),
            dense=(
                *_weighed(_form(sentence, turn, index, len(parts)), 0.3),
                *_with_pairs(_cues_in(sentence)),
                *_weighed(_cues_in(answered), 0.5),
            ),
        )


def _answered(turn: Turn) -> str:
    """The end of the assistant message that the turn answers directly, if it does."""
    if not turn.before or turn.before[-1].role is not Role.ASSISTANT:
        return ""
    return plain(turn.before[-1].text)[-300:]


def _weighed(values: Sequence[float], weight: float) -> list[float]:
    return [value * weight for value in values]


def _with_pairs(cues: Sequence[float]) -> list[float]:
    pairs = [0.25 * first * second for first, second in combinations(cues, 2)]
    return _weighed(cues, 0.5) + pairs


def _form(sentence: str, turn: Turn, index: int, count: int) -> list[float]:
    answered = _answered(turn)
    long = len(sentence)
    asks = any(mark in sentence for mark in _ASKING)
    offered = long < 40 and any(mark in answered for mark in _ASKING)
    seen = (
        bool(turn.before), bool(answered), asks, offered, long < 15, long < 40, long > 120,
        index == 0, index == count - 1, count == 1, count > 3,
        any(mark in sentence for mark in _QUOTING), "\n" in turn.text,
        any(character.isdigit() for character in sentence), sentence.count(",") > 2,
        len(turn.text) > 400, "`" in sentence,
    )  # fmt: skip
    return [float(each) for each in seen]


def _ngrams(sentence: str) -> dict[int, float]:
    words = _WORDS.findall(sentence)
    pairs = (" ".join(pair) for pair in pairwise(words))
    by_word = Counter(f"w{each}" for each in (*words, *pairs))
    by_letter = Counter(f"c{each}" for each in _letters(sentence))
    hashed: dict[int, float] = {}
    for counts in (by_word, by_letter):
        values = {each: 1 + math.log(count) for each, count in counts.items()}
        norm = math.sqrt(sum(value * value for value in values.values())) or 1.0
        for each, value in values.items():
            bucket = crc32(each.encode("utf-8", "replace")) % BUCKETS
            hashed[bucket] = hashed.get(bucket, 0.0) + value / norm
    return hashed


def _letters(sentence: str) -> Iterator[str]:
    for word in sentence.split():
        padded = f" {word} "
        for size in range(1, 6):
            yield from (padded[at : at + size] for at in range(max(len(padded) - size + 1, 1)))


def _cues_in(sentence: str) -> list[float]:
    return [1.0 if sentence and cue.search(sentence) else 0.0 for cue in _cues().values()]


@lru_cache(maxsize=1)
def _cues() -> dict[str, re.Pattern[str]]:
    raw = files(__name__.rpartition(".")[0]).joinpath("cues.toml").read_text("utf-8")
    return {name: _pattern(table["words"]) for name, table in tomllib.loads(raw).items()}


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(_word(plain(word), whole=word.endswith(" ")) for word in words))


def _word(word: str, *, whole: bool) -> str:
    """A word from its beginning; to its end if it is short or stands with a space behind it."""
    if _UNSPACED.match(word):
        return re.escape(word)
    whole = whole or (len(word) <= 3 and word.isascii())
    return rf"(?<!\w){re.escape(word)}" + (r"(?!\w)" if whole else "")

"""A labeller that needs no model, and transcripts for it."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import anyio
import pytest

from henceforth import (
    Intent,
    Label,
    Labelled,
    LabelledBy,
    NoneReason,
    Reach,
    Turn,
    TurnLabels,
    Usage,
)
from henceforth.pipeline.batch.cache import LabelCache
from henceforth.pipeline.batch.labelling import Labelling
from henceforth.pipeline.batch.readers import Place, Reject, Said
from henceforth.pipeline.batch.recipe import Recipe, recipe_of
from henceforth.pipeline.batch.row import LabelRow
from henceforth.pipeline.batch.spending import Budget, Spending
from henceforth.pipeline.batch.throttle import Throttle
from henceforth.pipeline.settings import Settings
from henceforth.schemas.dimensions import default_registry

BY = LabelledBy(model="rules", prompt="by-hand@1")


def labels_of(turn: Turn) -> TurnLabels:
    """`answer in X` is durable, `forget length` takes back, all else is no instruction."""
    if found := re.search(r"answer in (\w+)", turn.text):
        label = Label(
            intent=Intent.DURABLE, dimension="language", value=found[1], quote=(found[0],)
        )
        return TurnLabels(labels=(label,))
    if "keep it short" in turn.text:
        quote = ("keep it short",)
        label = Label(intent=Intent.DURABLE, dimension="length", value="concise", quote=quote)
        return TurnLabels(labels=(label,))
    if "forget length" in turn.text:
        label = Label(
            intent=Intent.FORGET,
            dimension="length",
            value="any",
            reach=Reach.DIMENSION,
            quote=("forget length",),
        )
        return TurnLabels(labels=(label,))
    return TurnLabels(none_reason=NoneReason.TASK_REQUEST)


class RuleLabeller:
    """Labels by fixed rules, and keeps what it was asked."""

    def __init__(self, *, cost: float | None = 0.01, seconds: float = 0.0) -> None:
        self.asked: list[str] = []
        self.at_once = self.most_at_once = 0
        self._cost, self._seconds = cost, seconds

    async def label(self, turn: Turn) -> Labelled:
        self.asked.append(turn.text)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await anyio.sleep(self._seconds)
            usage = Usage(tokens_in=90, tokens_out=10, cost=self._cost, attempts=1)
            return Labelled(labels=labels_of(turn), labelled_by=BY, usage=usage)
        finally:
            self.at_once -= 1


def said(text: str, *, speaker: str = "ana", index: int = 0, conversation: str = "c") -> Said:
    turn = Turn.model_validate(
        {
            "text": text,
            "said_at": f"2026-03-02T09:{index:02}:00Z",
            "index": index,
            "speaker": speaker,
            "context": {"conversation": conversation},
        }
    )
    return Said(turn=turn, speaker=speaker, place=Place("chat.jsonl", index + 1))


def recipe(**settings: object) -> Recipe:
    return recipe_of(Settings.model_validate({"model": "m", **settings}), default_registry())


class Run:
    """One labelling of some turns."""

    def __init__(
        self,
        cache: LabelCache,
        labeller: object,
        *,
        concurrency: int = 4,
        budget: Budget | None = None,
    ) -> None:
        self.rows: list[LabelRow] = []
        self.rejects: list[Reject] = []
        self.labelling = Labelling(
            labeller=labeller,  # type: ignore[arg-type]  # whatever a test plays
            cache=cache,
            recipe=recipe(),
            throttle=Throttle(concurrency, wait=0.0),
            spending=Spending(budget),
            tenant="default",
            each=self.rows.append,
            rejected=self.rejects.append,
        )

    def over(self, given: Sequence[Said | Reject]) -> "Run":
        anyio.run(self.labelling.run, given)
        return self


@pytest.fixture
def cache(tmp_path: Path) -> LabelCache:
    return LabelCache(tmp_path / "cache.db")


Talks = Callable[..., Path]


@pytest.fixture
def talks(tmp_path: Path) -> Talks:
    """Write a file of OpenAI messages: by speaker what each says, a conversation each."""

    def write(name: str, **said: Sequence[str]) -> Path:
        lines = [
            json.dumps(
                {
                    "id": f"{name}-{speaker}",
                    "user": speaker,
                    "created": 1_772_442_000 + 60 * number,
                    "messages": [{"role": "user", "content": text} for text in texts],
                }
            )
            for number, (speaker, texts) in enumerate(said.items())
        ]
        path = tmp_path / name
        path.write_text("".join(line + "\n" for line in lines), "utf-8")
        return path

    return write

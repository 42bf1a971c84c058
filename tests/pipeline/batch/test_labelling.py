"""Labelling many turns: each is paid for once, rows keep the order, limits are kept."""

from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest

from henceforth import Labelled, NoneReason, Turn, TurnLabels
from henceforth.pipeline.batch.cache import LabelCache
from henceforth.pipeline.batch.errors import BudgetError
from henceforth.pipeline.batch.labelling import GIVE_UP_AFTER, Stopped
from henceforth.pipeline.batch.readers import Machine, Place, Reject, Said
from henceforth.pipeline.batch.row import RowStatus
from henceforth.pipeline.batch.spending import Budget, budget
from henceforth.pipeline.errors import (
    LabelsRejectedError,
    ModelGoneError,
    ModelUnavailableError,
    StoreUnavailableError,
)
from henceforth.pipeline.labelling.label import PROMPT
from henceforth.prompts import prompt_versions

from .conftest import BY, RuleLabeller, Run, recipe, said

LATEST = str(max(prompt_versions(PROMPT)))


def texts(run: Run) -> list[str]:
    return [row.turn for row in run.rows]


def talk(count: int) -> list[Said]:
    return [said(f"answer in L{n}", index=n % 60, conversation=f"c{n}") for n in range(count)]


class TooManyAtOnce(Exception):
    status_code = 429


class Limited(RuleLabeller):
    """An endpoint that takes only so many requests at a time."""

    def __init__(self, most: int) -> None:
        super().__init__(seconds=0.001)
        self._most = most
        self.refused = 0

    async def label(self, turn: Turn) -> Labelled:
        if self.at_once >= self._most:
            self.refused += 1
            failure = ModelUnavailableError(turn=turn.id, model="m", attempts=1, why="429")
            raise failure from TooManyAtOnce()
        return await super().label(turn)


class Failing(RuleLabeller):
    """A model that fails at turns that say so."""

    def __init__(self, error: type[LabelsRejectedError] | type[ModelUnavailableError]) -> None:
        super().__init__()
        self._error = error

    async def label(self, turn: Turn) -> Labelled:
        if "fail" in turn.text:
            raise self._error(turn=turn.id, model="m", attempts=3, why="it failed")
        return await super().label(turn)


def test_rows_come_in_the_order_of_the_turns_whichever_is_finished_first(
    cache: LabelCache,
) -> None:
    class LastFirst(RuleLabeller):
        async def label(self, turn: Turn) -> Labelled:
            await anyio.sleep(0.02 if turn.index == 0 else 0.0)
            return await super().label(turn)

    run = Run(cache, LastFirst()).over([said(f"turn {n}", index=n) for n in range(8)])

    assert texts(run) == [f"c/{n}" for n in range(8)]


def test_a_second_run_asks_for_nothing(cache: LabelCache) -> None:
    turns = [said("answer in German"), said("hello", index=1)]
    first = Run(cache, RuleLabeller()).over(turns)
    again = RuleLabeller()

    second = Run(cache, again).over(turns)

    assert again.asked == []
    assert second.rows == first.rows
    assert second.labelling.counts.cached == 2


def test_equal_turns_in_one_run_are_asked_for_once(cache: LabelCache) -> None:
    labeller = RuleLabeller(seconds=0.001)
    turns = [said("answer in German", conversation=f"c{n}") for n in range(5)]

    run = Run(cache, labeller).over(turns)

    assert labeller.asked == ["answer in German"]
    assert [row.status for row in run.rows] == [RowStatus.LABELLED] * 5
    assert len({row.turn for row in run.rows}) == 5


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"text": "answer in Dutch"}, id="the text"),
        pytest.param({"said_at": "2026-03-03T09:00:00Z"}, id="the day"),
        pytest.param({"before": [{"role": "assistant", "text": "x"}]}, id="the messages before"),
        pytest.param({"context": {"repository": "shop"}}, id="the place"),
    ],
)
def test_what_a_label_depends_on_is_in_its_key(change: dict[str, object]) -> None:
    turn = said("answer in German").turn
    other = Turn.model_validate({**turn.model_dump(), **change})

    assert recipe().key(turn) != recipe().key(other)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"model": "other"}, id="the model"),
        pytest.param(
            {"prompt": str(max(prompt_versions(PROMPT)))}, id="the same prompt by its number"
        ),
        pytest.param({"temperature": 1.0}, id="the temperature"),
        pytest.param({"window": 500}, id="the window"),
    ],
)
def test_what_a_run_is_set_to_is_in_the_key(change: dict[str, object]) -> None:
    turn = said("answer in German").turn

    same = recipe().key(turn) == recipe(**change).key(turn)

    assert same is ("prompt" in change)


def test_the_conversation_is_not_in_the_key() -> None:
    one, other = said("hi", conversation="a"), said("hi", conversation="b")

    assert recipe().key(one.turn) == recipe().key(other.turn)


def test_text_of_machines_is_marked_and_not_labelled(cache: LabelCache) -> None:
    labeller = RuleLabeller()
    plain = said("always answer in German")
    marked = Said(plain.turn, plain.speaker, plain.place, Machine.TOOL_RESULT)

    run = Run(cache, labeller).over([marked])

    assert labeller.asked == []
    assert [(row.status, row.why, row.entry) for row in run.rows] == [
        (RowStatus.MACHINE, "tool_result", None)
    ]


def test_broken_records_are_passed_on_and_the_rest_is_labelled(cache: LabelCache) -> None:
    broken = Reject(Place("chat.jsonl", 2), "no JSON", "{")

    run = Run(cache, RuleLabeller()).over([said("hi"), broken, said("ho", index=2)])

    assert run.rejects == [broken]
    assert texts(run) == ["c/0", "c/2"]


def test_a_turn_that_fails_is_a_row_and_is_asked_for_again(cache: LabelCache) -> None:
    turns = [said("fail"), said("answer in German", index=1)]
    first = Run(cache, Failing(LabelsRejectedError)).over(turns)
    labeller = RuleLabeller()

    second = Run(cache, labeller).over(turns)

    assert [row.status for row in first.rows] == [RowStatus.FAILED, RowStatus.LABELLED]
    assert "it failed" in (first.rows[0].why or "")
    assert labeller.asked == ["fail"]
    assert [row.status for row in second.rows] == [RowStatus.NONE, RowStatus.LABELLED]


def test_a_model_that_is_gone_ends_the_run(cache: LabelCache) -> None:
    turns = [said(f"fail {n}", conversation=f"c{n}") for n in range(GIVE_UP_AFTER + 50)]

    with pytest.raises(ModelGoneError):
        Run(cache, Failing(ModelUnavailableError)).over(turns)


def test_answers_in_between_keep_a_run_going(cache: LabelCache) -> None:
    mixed = [
        said(f"{'fail' if n % 2 else 'hello'} {n}", conversation=f"c{n}")
        for n in range(4 * GIVE_UP_AFTER)
    ]

    run = Run(cache, Failing(ModelUnavailableError), concurrency=2).over(mixed)

    assert run.labelling.counts.failed == 2 * GIVE_UP_AFTER


def test_no_more_requests_are_under_way_than_allowed(cache: LabelCache) -> None:
    labeller = RuleLabeller(seconds=0.001)

    Run(cache, labeller, concurrency=3).over(talk(30))

    assert labeller.most_at_once == 3


def test_under_a_rate_limit_every_turn_is_labelled_with_fewer_at_a_time(
    cache: LabelCache,
) -> None:
    labeller = Limited(most=3)

    run = Run(cache, labeller, concurrency=32).over(talk(200))

    assert {row.status for row in run.rows} == {RowStatus.LABELLED}
    assert labeller.most_at_once == 3
    assert 0 < labeller.refused < 200
    assert run.labelling.throttle.limit < 32


def test_a_budget_in_money_is_not_exceeded(cache: LabelCache) -> None:
    run = Run(cache, RuleLabeller(cost=0.01), budget=Budget(0.105, is_money=True)).over(talk(50))

    assert run.labelling.stopped is Stopped.BUDGET
    assert run.labelling.spending.asked == 10
    assert len(run.rows) == 10


def test_a_budget_in_tokens_is_not_exceeded(cache: LabelCache) -> None:
    run = Run(cache, RuleLabeller(cost=None), budget=Budget(1000, is_money=False)).over(talk(50))

    assert run.labelling.stopped is Stopped.BUDGET
    assert run.labelling.spending.tokens == 1000


def test_a_larger_budget_goes_on_and_pays_only_for_what_is_left(cache: LabelCache) -> None:
    Run(cache, RuleLabeller(), budget=Budget(0.055, is_money=True)).over(talk(12))
    labeller = RuleLabeller()

    run = Run(cache, labeller, budget=Budget(5, is_money=True)).over(talk(12))

    assert len(labeller.asked) == 7
    assert len(run.rows) == 12


def test_paid_turns_need_no_budget(cache: LabelCache) -> None:
    Run(cache, RuleLabeller()).over(talk(5))

    run = Run(cache, RuleLabeller(), budget=Budget(0, is_money=True)).over(talk(5))

    assert run.labelling.stopped is None
    assert len(run.rows) == 5


def test_money_cannot_be_counted_without_a_price(cache: LabelCache) -> None:
    with pytest.raises(BudgetError, match="price of the model is not known"):
        Run(cache, RuleLabeller(cost=None), budget=Budget(5, is_money=True)).over(talk(5))


def test_a_stopped_run_finishes_and_keeps_what_is_under_way(cache: LabelCache) -> None:
    class Stopping(RuleLabeller):
        async def label(self, turn: Turn) -> Labelled:
            if len(self.asked) == 4:
                run.labelling.stop()
            return await super().label(turn)

    run = Run(cache, Stopping(seconds=0.001), concurrency=2)
    run.over(talk(40))

    assert run.labelling.stopped is Stopped.INTERRUPTED
    assert len(run.rows) == len(cache) == run.labelling.spending.asked < 8


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("$2.50", Budget(2.5, is_money=True), id="dollars"),
        pytest.param("3", Budget(3, is_money=True), id="a bare number"),
        pytest.param("3 USD", Budget(3, is_money=True), id="USD"),
        pytest.param("200k tokens", Budget(200_000, is_money=False), id="thousands of tokens"),
        pytest.param("1.5M tokens", Budget(1_500_000, is_money=False), id="millions of tokens"),
    ],
)
def test_a_budget_is_read(text: str, expected: Budget) -> None:
    assert budget(text) == expected


@pytest.mark.parametrize("text", ["", "much", "-3", "3 apples", "$3 tokens", "3M"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(BudgetError, match="no amount"):
        budget(text)


def test_what_is_no_cache_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    path.write_text("my notes, and more of them than a database header is long", "utf-8")

    with pytest.raises(StoreUnavailableError):
        LabelCache(path)

    assert path.read_text("utf-8").startswith("my notes")


def test_the_cache_is_for_its_owner_alone(cache: LabelCache) -> None:
    assert cache.path.stat().st_mode & 0o077 == 0


def test_half_characters_survive_the_cache(cache: LabelCache) -> None:
    turns: Sequence[Said] = [said("answer in German \ud83d")]
    first = Run(cache, RuleLabeller()).over(turns)

    assert Run(cache, RuleLabeller()).over(turns).rows == first.rows


def test_what_code_labels_without_a_model_costs_nothing(cache: LabelCache) -> None:
    class Code(RuleLabeller):
        async def label(self, turn: Turn) -> Labelled:
            reason = NoneReason.ACKNOWLEDGEMENT
            return Labelled(labels=TurnLabels(none_reason=reason), labelled_by=BY)

    run = Run(cache, Code(), budget=Budget(1, is_money=True)).over([said("...")])

    assert (run.labelling.spending.asked, run.labelling.spending.cost) == (0, 0.0)
    assert run.rows[0].status is RowStatus.NONE

"""Level 2 faults of the model: the answers come again, over real HTTP, from a server that fails.

Which labels are right does not matter here: those of the run are served in the form that a model
writes, wrapped in prose, after a refusal, after chat. What labelling makes of that is judged.
"""

import logging
from collections.abc import Callable, Mapping
from functools import partial

import anyio
from pydantic import SecretStr

from ...pipeline.errors import LabelError
from ...pipeline.labelling.labeller import ModelLabeller
from ...pipeline.settings import Settings
from ...schemas.base import Shape
from ...schemas.labels import TurnLabels
from ..behaviour.chat_server import ChatServer, Reply
from ..data.cases import Case
from ..data.timeline import Said, said
from .wire_form import wire_text

_STORE_FAULTS = frozenset(
    {
        "arrival_order",
        "out_of_order",
        "redelivery",
        "edited",
        "rebuild",
        "write_during_consolidation",
    }
)
"""Injected by the order and number of deliveries to a real store."""

_ELSEWHERE = {
    "latency_budget": "what a run asked of a model is counted in its `budget`",
    "optional_backend_down": "no optional backend takes part when a rule is written",
}


class Faulted(Shape):
    """The answers after the fault, or why it was not injected."""

    answers: dict[int, TurnLabels]
    not_injected: str | None = None


def after_faults(case: Case, answers: Mapping[int, TurnLabels]) -> Faulted:
    """The answers as labelling gives them when the model fails as the case says."""
    kind = case.fault.kind if case.fault else None
    if kind is None or kind in _STORE_FAULTS:
        return Faulted(answers=dict(answers))
    if kind in SCRIPTS:
        return Faulted(answers=anyio.run(partial(_through_server, case, answers, SCRIPTS[kind])))
    reason = _ELSEWHERE.get(kind, f"a fault of kind {kind!r} is not known")
    return Faulted(answers=dict(answers), not_injected=reason)


Script = Callable[[str], tuple[Reply, ...]]
"""From the answer of the model in its own form to what the server says, one reply a request."""


def _wrapped(text: str) -> tuple[Reply, ...]:
    return (Reply(text=f"Sure! Here is what I found:\n```json\n{text}\n```\nAnything else?"),)


def _chat_first(text: str) -> tuple[Reply, ...]:
    return (Reply(text="Of course, I will keep that in mind from now on!"), Reply(text=text))


def _refused_twice(text: str) -> tuple[Reply, ...]:
    refusal = Reply(text="slow down", status=429, retry_after=0)
    return (refusal, refusal, Reply(text=text))


def _down_then_up(text: str) -> tuple[Reply, ...]:
    return (Reply(text="oops", status=500), Reply(text=text))


def _half_then_whole(text: str) -> tuple[Reply, ...]:
    return (Reply(text=text[: len(text) // 2]), Reply(text=text))


def _empty_then_whole(text: str) -> tuple[Reply, ...]:
    return (Reply(text=""), Reply(text=text))


SCRIPTS: dict[str, Script] = {
    "llm_output_wrapped": _wrapped,
    "llm_output_prose": _chat_first,
    "llm_output_truncated": _half_then_whole,
    "llm_output_empty": _empty_then_whole,
    "http_429": _refused_twice,
    "http_500": _down_then_up,
}
"""By kind of fault; the last reply is repeated."""


async def _through_server(
    case: Case, answers: Mapping[int, TurnLabels], script: Script
) -> dict[int, TurnLabels]:
    found: dict[int, TurnLabels] = {}
    # litellm warns of each event loop after the first; every case has one of its own here.
    logging.getLogger("LiteLLM").setLevel(logging.ERROR)
    with ChatServer() as server:
        settings = Settings(
            model="openai/given", api_base=server.url, api_key=SecretStr("none"), attempts=4
        )
        labeller = ModelLabeller(settings)
        for each in said(case):
            if each.at in answers:
                server.say(script(wire_text(answers[each.at], each.turn)))
                labels = await _label(labeller, each)
                if labels is not None:
                    found[each.at] = labels
    return found


async def _label(labeller: ModelLabeller, each: Said) -> TurnLabels | None:
    try:
        return (await labeller.label(each.turn)).labels
    except LabelError:
        return None

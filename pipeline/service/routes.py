"""The calls of the service, each one line of work; what they take and give is the interface."""

import json
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response

from ...schemas.history import Difference, Erased, Explanation, Happened
from ...schemas.ids import RuleId, SubjectId, TurnId
from ...schemas.in_force import InForce
from ...schemas.outcome import Outcome, Status
from ..core.render import Rendered, render
from ..errors import StoreError
from .bodies import (
    About,
    Answer,
    End,
    Erase,
    Event,
    Export,
    Health,
    Moment,
    Observe,
    ObservedMany,
    ObserveMany,
    OneRule,
    OneTurn,
    Outcomes,
    Pending,
    Prepare,
    Prepared,
    Problem,
    Questions,
    Render,
    Rules,
    Speaker,
)
from .callers import Called
from .work import Work


async def _work(request: Request) -> Work:
    work: Work = request.app.state.work
    return work


Working = Annotated[Work, Depends(_work)]
Whose = Annotated[Speaker, Query()]

_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 401, 404, 409, 413, 422, 429, 503)
}

_NOBODY = SubjectId("-/-")
"""A subject that nobody is: reading it touches the store and nobody's rules."""


async def _whole_text(request: Request) -> None:
    """Refuse halves of characters, which JSON can escape and no UTF-8 answer could give back."""
    body = await request.body()
    if b"\\u" in body:
        try:
            json.dumps(json.loads(body), ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise HTTPException(422, "The request holds half a character.") from error
        except ValueError:
            return  # no JSON at all: said where it is read


router = APIRouter(prefix="/v1", responses=_PROBLEMS, dependencies=[Depends(_whole_text)])
open_to_all = APIRouter()


@router.post("/turns", responses={202: {"model": Outcome}})
async def observe(asked: Observe, caller: Called, work: Working, response: Response) -> Outcome:
    """Observe a turn. 202 when it is pending: it is kept, and will be labelled."""
    outcome = await work.observe(caller, asked)
    if outcome.status is Status.PENDING:
        response.status_code = 202
    return outcome


@router.post("/turns/batch")
async def observe_batch(asked: ObserveMany, caller: Called, work: Working) -> ObservedMany:
    """Observe several turns: those of one subject in order. Each has an answer of its own."""
    if len(asked.turns) > work.options.batch:
        raise HTTPException(413, f"A request may have {work.options.batch} turns.")
    return ObservedMany(results=tuple(await work.observe_many(caller, asked.turns)))


@router.post("/turns/undo")
async def undo(asked: OneTurn, caller: Called, work: Working) -> Outcome:
    """Make a turn count as never said; by default the latest."""
    return await work.session(caller, asked.subject).undo(asked.turn)


@router.get("/turns/diff")
async def diff(subject: Whose, turn: TurnId, caller: Called, work: Working) -> Difference:
    """The saved state before and after a turn."""
    return await work.session(caller, subject).difference(turn)


@router.post("/messages/prepare")
async def prepare(asked: Prepare, caller: Called, work: Working) -> Prepared:
    """Messages of a chat model: observe what is new, and put the rules in force into them."""
    return await work.prepare(caller, asked)


@router.post("/rules/in-force")
async def rules_in_force(asked: Moment, caller: Called, work: Working) -> InForce:
    """The rules in force at a moment."""
    session = work.session(caller, asked.subject)
    return await session.in_force(asked.context, as_of=asked.as_of, events=asked.events)


@router.post("/rules/render")
async def rules_rendered(asked: Render, caller: Called, work: Working) -> Rendered:
    """The rules in force as a block for a system prompt."""
    found = await rules_in_force(asked, caller, work)
    return render(found, form=asked.form, budget=asked.budget)


@router.get("/rules")
async def rules(subject: Whose, caller: Called, work: Working) -> Rules:
    """All rules, in force or not."""
    return Rules(rules=await work.session(caller, subject).rules())


@router.get("/rules/explain")
async def explain(subject: Whose, rule: RuleId, caller: Called, work: Working) -> Explanation:
    """Why a rule is as it is."""
    return await work.session(caller, subject).explain(rule)


@router.post("/rules/forget")
async def forget(asked: OneRule, caller: Called, work: Working) -> Outcome:
    """Take a rule out of force on the user's word."""
    return await work.session(caller, asked.subject).forget(asked.rule)


@router.post("/rules/confirm")
async def confirm(asked: OneRule, caller: Called, work: Working) -> Outcome:
    """Put a proposed rule in force on the user's word."""
    return await work.session(caller, asked.subject).confirm(asked.rule)


@router.get("/history")
async def history(subject: Whose, caller: Called, work: Working) -> tuple[Happened, ...]:
    """All that counts, in said order, each with what it changed."""
    return await work.session(caller, subject).history()


@router.get("/questions")
async def questions(subject: Whose, caller: Called, work: Working) -> Questions:
    """What only the user can say."""
    return Questions(questions=await work.session(caller, subject).questions())


@router.post("/questions/answer")
async def answer(asked: Answer, caller: Called, work: Working) -> Outcome:
    """Settle an open question with the user's word."""
    return await work.session(caller, asked.subject).answer(
        asked.question, rules=asked.rules, relation=asked.relation, intent=asked.intent
    )


@router.post("/ends")
async def end(asked: End, caller: Called, work: Working) -> Outcome:
    """End a task, or without a task the whole conversation."""
    session = work.session(caller, asked.subject)
    return await session.end(conversation=asked.conversation, task=asked.task)


@router.post("/events")
async def happened(asked: Event, caller: Called, work: Working) -> Outcome:
    """Tell that an event came about that rules wait for."""
    return await work.session(caller, asked.subject).happened(asked.event)


@router.get("/pending")
async def pending(subject: Whose, caller: Called, work: Working) -> Pending:
    """The turns that wait to be labelled, and those that were given up."""
    return Pending(pending=tuple(await work.session(caller, subject).pending()))


@router.post("/pending/retry")
async def retry(asked: About, caller: Called, work: Working) -> Outcomes:
    """Label the turns that wait now, given up or not."""
    return Outcomes(outcomes=await work.session(caller, asked.subject).retry_pending())


@router.post("/erase")
async def erase(asked: Erase, caller: Called, work: Working) -> Erased:
    """Remove a rule's text, or all that is kept of the subject. There is no undo."""
    return await work.session(caller, asked.subject).erase(asked.rule)


@router.get("/export")
async def export(subject: Whose, caller: Called, work: Working) -> Export:
    """All that is kept of the subject."""
    return await work.export(caller, subject)


@open_to_all.get("/healthz")
async def healthz() -> Health:
    """Whether the process runs."""
    return Health(status="ok")


@open_to_all.get("/readyz", responses={503: {"model": Health}})
async def readyz(work: Working, response: Response) -> Health:
    """Whether the store can be reached."""
    try:
        await to_thread.run_sync(work.host.store.read, _NOBODY)
    except StoreError:
        response.status_code = 503
        return Health(status="the store cannot be reached")
    return Health(status="ok")

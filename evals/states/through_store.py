"""Level 2 through a real store: labels go in as they arrive, with the fault the case asks for."""

from collections.abc import Mapping, Sequence
from functools import partial

import anyio

from ...pipeline.core.fold import fold
from ...pipeline.session import Session
from ...pipeline.settings import Settings
from ...pipeline.stores.memory import MemoryStore
from ...pipeline.stores.protocol import Store, Write
from ...schemas.dimensions import Registry
from ...schemas.ids import SubjectId
from ...schemas.labels import LabelledBy
from ...schemas.outcome import Labelled
from ...schemas.rule import Rule
from ..data.cases import Case
from ..data.timeline import Said, arrivals
from .state import Answers

BY = LabelledBy(model="given", prompt="given")
"""Who labelled, where the labels were given."""

WRITTEN_AT_ONCE = frozenset({"write_during_consolidation"})
"""Faults that are two writers at the same time."""


async def keep_all(case: Case, answers: Answers, *, store: Store, registry: Registry) -> None:
    """Bring the labels of a case into a store, in arrival order or, where asked, at once."""
    delivered = [each for each in arrivals(case) if each.at in answers]
    sessions = _sessions(case, delivered, store, registry)
    if case.fault and case.fault.kind in WRITTEN_AT_ONCE:
        async with anyio.create_task_group() as group:
            for each in delivered:
                group.start_soon(_keep, sessions[each.subject], each, answers)
        return
    for each in delivered:
        await _keep(sessions[each.subject], each, answers)


def save_all(case: Case, answers: Answers, *, store: Store, registry: Registry) -> None:
    """Bring the labels of a case into a store that keeps files: one transaction a subject."""
    memory = MemoryStore()
    anyio.run(partial(keep_all, case, answers, store=memory, registry=registry))
    for subject in memory.subjects():
        snapshot = memory.read(subject)
        write = Write(
            entries=tuple((row.entry, row.plan) for row in memory.ledger(subject)),
            rules=snapshot.rules,
            questions=snapshot.questions,
            head=snapshot.head,
        )
        store.commit(subject, write, version=0)


def _sessions(
    case: Case, delivered: Sequence[Said], store: Store, registry: Registry
) -> Mapping[SubjectId, Session]:
    return {each.subject: _session(each.subject, store, registry) for each in delivered}


def _session(subject: SubjectId, store: Store, registry: Registry) -> Session:
    tenant, _, speaker = subject.partition("/")
    settings = Settings(tenant=tenant)
    return Session(speaker, store=store, settings=settings, registry=registry)


async def _keep(session: Session, each: Said, answers: Answers) -> None:
    await session.keep(each.turn, Labelled(labels=answers[each.at], labelled_by=BY))


def store_faults(case: Case, answers: Answers, *, registry: Registry) -> tuple[str, ...]:
    """What a store did wrong with the case: nothing, when all laws hold.

    The projection equals the fold of the ledger; the ledger holds no turn's text; a transcript
    that is delivered once more changes nothing; a rebuilt store is the same store.
    """
    return anyio.run(partial(_store_faults, case, answers, registry))


async def _store_faults(case: Case, answers: Answers, registry: Registry) -> tuple[str, ...]:
    store = MemoryStore()
    await keep_all(case, answers, store=store, registry=registry)
    before = _rules(store)
    faults = list(_projection_faults(store, registry))
    await keep_all(case, answers, store=store, registry=registry)
    if _is_settled(case) and _rules(store) != before:
        faults.append("the transcript delivered once more changed the rules")
    faults += _evidence_faults(store)
    faults += _text_faults(case, store)
    store.close()
    return tuple(faults)


def _is_settled(case: Case) -> bool:
    """Whether a second delivery is the same as the first: not so where a message is edited."""
    return case.fault is None or case.fault.kind != "edited"


def _rules(store: Store) -> dict[SubjectId, tuple[Rule, ...]]:
    return {subject: store.read(subject).rules for subject in store.subjects()}


def _projection_faults(store: Store, registry: Registry) -> Sequence[str]:
    return [
        f"the projection of {subject} is not the fold of its ledger"
        for subject, rules in _rules(store).items()
        if _by_id(rules)
        != _by_id(fold([row.entry for row in store.ledger(subject)], registry=registry).rules)
    ]


def _by_id(rules: Sequence[Rule]) -> list[Rule]:
    return sorted(rules, key=lambda rule: rule.id)


def _evidence_faults(store: Store) -> Sequence[str]:
    """A label is one piece of evidence, however often its turn is delivered."""
    return [
        f"{rule.statement!r} counts one label twice"
        for rules in _rules(store).values()
        for rule in rules
        if len({(each.turn, each.label) for each in rule.evidence}) != len(rule.evidence)
    ]


def _text_faults(case: Case, store: Store) -> Sequence[str]:
    """Text that must not be kept: what the case forbids."""
    forbidden = case.record.must_not_contain if case.record else ()
    kept = "\n".join(
        row.model_dump_json() for subject in store.subjects() for row in store.ledger(subject)
    )
    kept += "\n".join(rule.model_dump_json() for rules in _rules(store).values() for rule in rules)
    return [f"stored text holds {needle!r}" for needle in forbidden if needle in kept]

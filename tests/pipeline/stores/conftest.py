"""A SQLite store in a file of its own, and a write that keeps one text everywhere it can stand."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from henceforth.pipeline.stores.protocol import PendingTurn, Write
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.ids import QuestionId, RuleId, TurnId, subject_id
from henceforth.schemas.labels import Intent, Kind, Label, Polarity, TurnLabels
from henceforth.schemas.ledger import TurnEntry
from henceforth.schemas.plan import Ask, Change, Plan, Question, Row
from henceforth.schemas.rule import Evidence, Rule
from henceforth.schemas.scope import EVERYWHERE
from henceforth.schemas.turn import Turn

NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rules.db"


@pytest.fixture
def store(file: Path) -> Iterator[SqlStore]:
    store = SqlStore(file)
    yield store
    store.close()


@pytest.fixture
def keeping() -> Callable[[str, str], Write]:
    """A write of one turn whose text stands in the ledger, the plan, a rule and a question."""
    return _keeping


def _keeping(turn: str, text: str) -> Write:
    kept = Rule(
        id=RuleId(f"{turn}#0"),
        kind=Kind.PREFERENCE,
        dimension="length",
        target="replies",
        value="concise",
        polarity=Polarity.DO,
        statement=text,
        scope=EVERYWHERE,
        evidence=(Evidence(turn=TurnId(turn), label=0, quote=(text,), said_at=NINE),),
        recorded_at=NINE,
    )
    label = Label(intent=Intent.DURABLE, dimension="length", value="concise", statement=text)
    asked = Question(id=QuestionId("q"), ask=Ask.WHICH_RULE, turn=TurnId(turn), label=0, words=text)
    entry = TurnEntry(
        turn=TurnId(turn),
        text_hash="sha256:1",
        said_at=NINE,
        labels=TurnLabels(labels=(label,)),
        recorded_at=NINE,
    )
    plan = Plan(turn=TurnId(turn), changes=(Change(row=Row.NEW, label=0, rules=(kept,)),))
    return Write(entries=((entry, plan),), rules=(kept,), questions=(asked,))


@pytest.fixture
def waiting() -> Callable[[str, str], PendingTurn]:
    """A turn of Ann's that waits, with its text."""
    return _waiting


def _waiting(turn: str, text: str) -> PendingTurn:
    return PendingTurn(
        subject=subject_id("ann"),
        turn=Turn(id=TurnId(turn), text=text, said_at=NINE),
        reason="the model did not answer",
        since=NINE,
    )

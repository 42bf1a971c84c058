"""The one object for users: observe, answer, ask, forget, undo, erase."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import anyio
import pytest
from ledgers import ELSEWHERE, NINE, durable, forget, inferred, lines, once

from henceforth.pipeline.core.conflict import is_redacted
from henceforth.pipeline.errors import (
    ModelUnavailableError,
    UndoTooLateError,
    UnfitAnswerError,
    UnknownQuestionError,
    UnknownRuleError,
    UnknownTurnError,
    WrongSpeakerError,
)
from henceforth.pipeline.session import Session
from henceforth.pipeline.settings import Settings
from henceforth.pipeline.stores.memory import MemoryStore
from henceforth.schemas.context import Context
from henceforth.schemas.ids import QuestionId, RuleId, TurnId
from henceforth.schemas.labels import (
    Clarify,
    Intent,
    Label,
    LabelledBy,
    NoneReason,
    TurnLabels,
    Usage,
)
from henceforth.schemas.ledger import Relation
from henceforth.schemas.outcome import Labelled, Status
from henceforth.schemas.plan import Ask, Row
from henceforth.schemas.rule import Provenance, State
from henceforth.schemas.turn import Message, Role, Turn

pytestmark = pytest.mark.anyio

BY = LabelledBy(model="by-heart", prompt="none")
FORMULA, UNITS = durable("content", "formula"), durable("content", "units")
SAYS: Mapping[str, Sequence[Label]] = {
    "Chinese please": [durable("language", "zh", statement="Reply in Chinese")],
    "No, English": [durable("language", "en", revises="correction", statement="Reply in English")],
    "Show the formula": [FORMULA],
    "Show the units": [UNITS],
    "The sources instead": [durable("content", "sources", revises="change")],
    "Run tests before each deploy": [durable("workflow/deploys", "run tests before each deploy")],
    "Run unit tests": [durable("workflow/deploys", "run unit tests before deploy")],
    "Forget what to show": [forget("content")],
    "Forget Chinese": [forget("language", "zh", statement="Chinese")],
    "This one in English": [once("language", "en")],
    "Formal until the launch": [durable("tone", "formal", until="the launch")],
    "English until the 3rd": [durable("language", "en", until="2026-03-03")],
    "Shorter.": [inferred("length", "concise")],
}
ASKS = {
    "Hm, tables?": Clarify(question="Always tables?", label=durable("format/tables", "on")),
    "Hm?": Clarify(question="What do you mean?"),
}


class ByHeart:
    """Knows its turns by heart; while it is down, it knows none."""

    def __init__(self) -> None:
        self.is_down, self.seconds = False, 0.0
        self.asked: list[Turn] = []

    async def label(self, turn: Turn) -> Labelled:
        self.asked.append(turn)
        await anyio.sleep(self.seconds)
        if self.is_down:
            raise ModelUnavailableError(turn=turn.id, model="by-heart", attempts=1, why="down")
        said = tuple(SAYS.get(turn.text, ()))
        clarify = ASKS.get(turn.text)
        none = None if said or clarify else NoneReason.QUESTION
        labels = TurnLabels(labels=said, clarify=clarify, none_reason=none)
        return Labelled(labels=labels, labelled_by=BY, usage=Usage(tokens_in=7))


class Clock:
    """A clock that moves when told to, and a minute each time it is read."""

    def __init__(self) -> None:
        self.now: datetime = NINE

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def model() -> ByHeart:
    return ByHeart()


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def session(clock: Clock, model: ByHeart, store: MemoryStore) -> Session:
    return Session("ann", store=store, labeller=model, settings=Settings(), clock=clock)


async def said(session: Session, *texts: str) -> list[Row]:
    """The rows of the last of the turns."""
    outcome = None
    for text in texts:
        outcome = await session.observe(text)
    return [change.row for change in outcome.changes] if outcome else []


async def standing(session: Session) -> list[str]:
    return lines(await session.rules())


async def asked(session: Session) -> QuestionId:
    """The one open question."""
    (question,) = await session.questions()
    return question.id


# --- Observe ---


async def test_what_a_turn_says_is_in_force_in_a_fresh_session(
    session: Session, store: MemoryStore, model: ByHeart
) -> None:
    outcome = await session.observe("Chinese please")

    assert outcome.status is Status.LABELLED
    assert [change.row for change in outcome.changes] == [Row.NEW]
    assert (outcome.version, outcome.usage) == (1, Usage(tokens_in=7))
    fresh = Session("ann", store=store, labeller=model, settings=Settings())
    assert [rule.value for rule in (await fresh.in_force()).rules] == ["zh"]


async def test_a_turn_without_instruction_says_why(session: Session) -> None:
    outcome = await session.observe("What is it?")

    assert (outcome.status, outcome.changes) == (Status.NONE, ())
    assert outcome.labels is not None
    assert outcome.labels.none_reason is NoneReason.QUESTION


async def test_a_turn_seen_before_is_not_labelled_again(session: Session, model: ByHeart) -> None:
    turn = Turn(id=TurnId("t1"), text="Chinese please", said_at=NINE)
    await session.observe(turn)

    again = await session.observe(turn)

    assert (again.status, again.changes) == (Status.SEEN, ())
    assert len(model.asked) == 1


async def test_an_edited_turn_replaces_what_it_said(session: Session) -> None:
    turn = Turn(id=TurnId("t1"), text="Chinese please", said_at=NINE)
    await session.observe(turn)

    await session.observe(turn.model_copy(update={"text": "Show the units"}))

    assert await standing(session) == ["content/replies=units"]


async def test_the_turn_of_another_speaker_is_refused(session: Session, store: MemoryStore) -> None:
    turn = Turn(id=TurnId("t1"), text="Chinese please", said_at=NINE, speaker="bob")

    with pytest.raises(WrongSpeakerError, match="bob"):
        await session.observe(turn)

    assert not store.subjects()


async def test_one_speaker_knows_nothing_of_another(
    session: Session, store: MemoryStore, model: ByHeart
) -> None:
    await session.observe("Chinese please")
    bob = Session("bob", store=store, labeller=model, settings=Settings())

    assert await bob.rules() == ()
    assert (await bob.in_force()).rules == ()
    assert await bob.history() == ()


async def test_a_text_is_labelled_with_the_messages_before_it(
    session: Session, model: ByHeart
) -> None:
    await session.observe("What is it?")
    session.replied("A long story.", id="m1")
    await session.observe("Shorter.")

    turn = model.asked[-1]
    assert [message.text for message in turn.before] == ["What is it?", "A long story."]
    assert turn.reacts_to == "m1"
    assert turn.context.conversation == session.context.conversation


async def test_two_sessions_are_two_conversations(model: ByHeart, store: MemoryStore) -> None:
    one, other = (
        Session("ann", store=store, labeller=model, settings=Settings()) for _ in range(2)
    )
    await one.observe("This one in English")

    assert [rule.value for rule in (await one.in_force()).rules] == ["en"]
    assert (await other.in_force()).rules == ()


async def test_a_day_is_the_subjects_own(model: ByHeart, store: MemoryStore, clock: Clock) -> None:
    tokyo = Settings(timezone="Asia/Tokyo")
    session = Session("ann", store=store, labeller=model, settings=tokyo, clock=clock)
    await session.observe("English until the 3rd")
    clock.now = datetime(2026, 3, 3, 15, 30, tzinfo=UTC)  # half past midnight on the 4th, there

    assert model.asked[0].said_at.tzinfo == ZoneInfo("Asia/Tokyo")
    assert (await session.in_force()).rules == ()
    assert len((await session.in_force(as_of=clock.now)).rules) == 1


# --- Pending ---


async def test_a_turn_that_cannot_be_labelled_waits_and_changes_nothing(
    session: Session, model: ByHeart
) -> None:
    await session.observe("Show the units")
    model.is_down = True

    outcome = await session.observe("Chinese please")

    assert outcome.status is Status.PENDING
    assert outcome.pending is not None
    assert "down" in outcome.pending
    assert [waiting.turn.text for waiting in await session.pending()] == ["Chinese please"]
    assert await standing(session) == ["content/replies=units"]


async def test_a_turn_that_takes_too_long_waits(session: Session, model: ByHeart) -> None:
    model.seconds = 5

    outcome = await session.observe("Chinese please", deadline=0.01)

    assert outcome.status is Status.PENDING
    assert len(await session.pending()) == 1


async def test_a_turn_that_waited_is_reconciled_where_it_was_said(
    session: Session, model: ByHeart
) -> None:
    model.is_down = True
    await session.observe("Chinese please")
    model.is_down = False
    await session.observe("No, English")

    (outcome,) = await session.retry_pending()

    assert outcome.status is Status.LABELLED
    assert not await session.pending()
    assert await standing(session) == ["language/replies=en"]


async def test_a_turn_that_fails_again_keeps_waiting(session: Session, model: ByHeart) -> None:
    model.is_down = True
    await session.observe("Chinese please")

    (outcome,) = await session.retry_pending()

    assert outcome.status is Status.PENDING
    assert [waiting.tries for waiting in await session.pending()] == [2]


# --- Answers ---


@pytest.mark.parametrize(
    ("chosen", "left"),
    [
        pytest.param(0, ["content/replies=sources", "content/replies=units"], id="one of them"),
        pytest.param(
            None,
            ["content/replies=formula", "content/replies=sources", "content/replies=units"],
            id="none of them",
        ),
    ],
)
async def test_which_value_goes(session: Session, chosen: int | None, left: list[str]) -> None:
    await said(session, "Show the formula", "Show the units", "The sources instead")
    (question,) = await session.questions()
    assert question.ask is Ask.WHICH_VALUE
    rules = [] if chosen is None else [question.candidates[chosen]]

    outcome = await session.answer(question.id, rules=rules)

    assert outcome.turn == question.turn
    assert await standing(session) == left
    assert not await session.questions()


@pytest.mark.parametrize(
    ("chosen", "row", "left"),
    [
        pytest.param([1], Row.FORGET, ["content/replies=formula"], id="one of them"),
        pytest.param([0, 1], Row.FORGET, [], id="both"),
        pytest.param(
            [],
            Row.FORGET_NOTHING,
            ["content/replies=formula", "content/replies=units"],
            id="none of them",
        ),
    ],
)
async def test_which_rule_goes(
    session: Session, chosen: list[int], row: Row, left: list[str]
) -> None:
    await said(session, "Show the formula", "Show the units", "Forget what to show")
    (question,) = await session.questions()
    assert question.ask is Ask.WHICH_RULE

    outcome = await session.answer(
        question.id, rules=[question.candidates[each] for each in chosen]
    )

    assert [change.row for change in outcome.changes] == [row]
    assert await standing(session) == left
    assert not await session.questions()


@pytest.mark.parametrize(
    ("relation", "left"),
    [
        pytest.param(
            None, ["workflow/deploys=run tests before each deploy"], id="the same, unless said"
        ),
        pytest.param(
            Relation.SAME, ["workflow/deploys=run tests before each deploy"], id="the same"
        ),
        pytest.param(
            Relation.REPLACES, ["workflow/deploys=run unit tests before deploy"], id="replaces"
        ),
        pytest.param(
            Relation.BESIDE,
            [
                "workflow/deploys=run tests before each deploy",
                "workflow/deploys=run unit tests before deploy",
            ],
            id="beside",
        ),
    ],
)
async def test_an_unsettled_pair_is_settled(
    session: Session, relation: Relation | None, left: list[str]
) -> None:
    await said(session, "Run tests before each deploy", "Run unit tests")
    (question,) = await session.questions()
    assert question.ask is Ask.UNSETTLED

    await session.answer(question.id, rules=question.candidates, relation=relation)

    assert await standing(session) == left
    assert not await session.questions()


@pytest.mark.parametrize(
    ("intent", "status", "left"),
    [
        pytest.param(Intent.DURABLE, Status.LABELLED, ["format/tables=on"], id="always"),
        pytest.param(
            Intent.THIS_TASK, Status.LABELLED, ["format/tables=on for this task"], id="this once"
        ),
        pytest.param(None, Status.NONE, [], id="not at all"),
    ],
)
async def test_a_turn_is_clarified(
    session: Session, intent: Intent | None, status: Status, left: list[str]
) -> None:
    first = await session.observe("Hm, tables?")
    assert (first.status, first.changes) == (Status.CLARIFY, ())

    outcome = await session.answer(await asked(session), intent=intent)

    assert outcome.status is status
    assert await standing(session) == left
    assert not await session.questions()


async def test_a_clarified_turn_delivered_once_more_changes_nothing(
    session: Session, model: ByHeart
) -> None:
    await session.observe("Hm, tables?")
    await session.answer(await asked(session), intent=Intent.DURABLE)

    again = await session.observe(model.asked[0])

    assert again.status is Status.SEEN
    assert await standing(session) == ["format/tables=on"]


async def test_a_question_without_a_label_cannot_be_answered_with_an_intent(
    session: Session,
) -> None:
    await session.observe("Hm?")
    question = await asked(session)

    with pytest.raises(UnfitAnswerError):
        await session.answer(question, intent=Intent.DURABLE)

    assert await asked(session) == question
    assert await session.rules() == ()


async def test_a_rule_that_is_no_candidate_is_no_answer(session: Session) -> None:
    await said(session, "Show the formula", "Show the units", "Forget what to show")
    question = await asked(session)

    with pytest.raises(UnfitAnswerError, match="r-of-nobody"):
        await session.answer(question, rules=[RuleId("r-of-nobody")])

    assert await asked(session) == question
    assert len(await standing(session)) == 2


async def test_a_question_answered_is_unknown(session: Session) -> None:
    await session.observe("Hm, tables?")
    question = await asked(session)
    await session.answer(question)

    with pytest.raises(UnknownQuestionError, match=question):
        await session.answer(question)


# --- Forget, confirm, undo ---


async def test_a_rule_is_forgotten_by_its_id(session: Session) -> None:
    await said(session, "Chinese please", "Show the units")
    rule = (await session.rules())[0]

    outcome = await session.forget(rule.id)

    assert (outcome.status, outcome.turn) == (Status.DONE, None)
    assert [change.row for change in outcome.changes] == [Row.FORGET]
    assert await standing(session) == ["content/replies=units"]


async def test_a_proposal_is_confirmed_by_its_id(session: Session) -> None:
    await said(session, "Shorter.")
    (proposed,) = (await session.in_force(ELSEWHERE)).proposed

    await session.confirm(proposed.id)

    (rule,) = (await session.in_force(ELSEWHERE)).winners
    assert (rule.id, rule.provenance) == (proposed.id, Provenance.STATED)


@pytest.mark.parametrize("call", ["forget", "confirm", "explain", "erase"])
async def test_a_rule_nobody_knows_is_an_error(session: Session, call: str) -> None:
    await said(session, "Chinese please")
    before = await session.rules()

    with pytest.raises(UnknownRuleError, match="r-of-nobody"):
        await getattr(session, call)(RuleId("r-of-nobody"))

    assert await session.rules() == before


async def test_undo_takes_back_the_latest_turn_and_then_the_one_before(session: Session) -> None:
    await said(session, "Chinese please", "Show the units")

    first = await session.undo()

    assert first.status is Status.UNDONE
    assert await standing(session) == ["language/replies=zh"]
    await session.undo()
    assert await standing(session) == []
    with pytest.raises(UnknownTurnError):
        await session.undo()


async def test_undo_of_one_turn_leaves_the_others(session: Session, model: ByHeart) -> None:
    await said(session, "Chinese please", "Show the units")

    outcome = await session.undo(model.asked[0].id)

    assert outcome.turn == model.asked[0].id
    assert await standing(session) == ["content/replies=units"]
    with pytest.raises(UnknownTurnError):
        await session.undo(model.asked[0].id)


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        pytest.param("Forget Chinese", 1, id="the turn that forgot it"),
        pytest.param("Forget Chinese", 0, id="the turn that brought it"),
        pytest.param("No, English", 1, id="the turn that put it right"),
    ],
)
async def test_undo_comes_too_late_for_text_that_is_gone(
    session: Session, model: ByHeart, clock: Clock, text: str, turn: int
) -> None:
    await said(session, "Chinese please", text)
    clock.now += timedelta(days=8)
    assert await session.redact_due() > 0
    before = await session.rules()

    with pytest.raises(UndoTooLateError):
        await session.undo(model.asked[turn].id)

    assert await session.rules() == before


async def test_within_the_window_a_forget_can_be_undone(session: Session, clock: Clock) -> None:
    await said(session, "Chinese please", "Forget Chinese")
    clock.now += timedelta(days=6)
    assert await session.redact_due() == 0

    await session.undo()

    assert await standing(session) == ["language/replies=zh"]


async def test_where_forgotten_text_is_retained_it_can_be_undone_for_good(
    model: ByHeart, store: MemoryStore, clock: Clock
) -> None:
    retain = Settings(forgotten="retain")
    session = Session("ann", store=store, labeller=model, settings=retain, clock=clock)
    await said(session, "Chinese please", "Forget Chinese")
    clock.now += timedelta(days=1000)

    assert await session.redact_due() == 0
    await said(session, "What is it?")
    await session.undo(model.asked[1].id)

    assert await standing(session) == ["language/replies=zh"]


# --- Ends ---


async def test_the_host_ends_the_conversation(session: Session) -> None:
    await said(session, "This one in English", "Chinese please")

    outcome = await session.end()

    assert [change.row for change in outcome.changes] == [Row.END_ONCE]
    assert [rule.value for rule in (await session.in_force()).rules] == ["zh"]


async def test_the_host_ends_one_task(session: Session) -> None:
    here = Context(task="letter")
    await session.observe("This one in English", context=here)

    await session.end(task="memo")
    assert await standing(session) == ["language/replies=en for this task"]
    await session.end(task="letter")
    assert await standing(session) == []


async def test_an_event_ends_what_waits_for_it(session: Session) -> None:
    await said(session, "Formal until the launch")

    outcome = await session.happened("The launch")

    assert [change.row for change in outcome.changes] == [Row.EXPIRE]
    assert await standing(session) == []


# --- History ---


async def test_the_history_tells_each_entry_with_what_it_changed(session: Session) -> None:
    await said(session, "Chinese please", "What is it?", "No, English")
    await session.happened("the launch")

    told = await session.history()

    assert [each.what for each in told] == ["turn", "turn", "turn", "event"]
    assert [[change.row for change in each.changes] for each in told] == [
        [Row.NEW],
        [],
        [Row.REVISE],
        [],
    ]
    assert told[0].labels is not None
    assert told[3].turn is None


async def test_a_rule_is_explained_by_what_it_replaced_and_what_replaced_it(
    session: Session,
) -> None:
    await said(session, "Chinese please", "Show the units", "No, English")
    zh, _, en = await session.rules()

    old, new = await session.explain(zh.id), await session.explain(en.id)

    assert (old.superseded_by, old.supersedes) == (en, ())
    assert (new.superseded_by, new.supersedes) == (None, (zh,))
    assert [change.row for each in old.story for change in each.changes] == [Row.NEW, Row.REVISE]


async def test_the_difference_is_the_state_before_and_after_a_turn(
    session: Session, model: ByHeart
) -> None:
    await said(session, "Chinese please", "No, English", "Show the units")

    made = await session.difference(model.asked[1].id)

    assert [(rule.value, rule.state) for rule in made.before] == [("zh", State.ACTIVE)]
    assert [(rule.value, rule.state) for rule in made.after] == [
        ("zh", State.SUPERSEDED),
        ("en", State.ACTIVE),
    ]
    with pytest.raises(UnknownTurnError):
        await session.difference(TurnId("t-of-nobody"))


# --- Erase ---


async def test_an_erased_rule_leaves_no_text_at_once(session: Session, store: MemoryStore) -> None:
    await said(session, "Chinese please", "Show the units")
    zh = (await session.rules())[0]

    erased = await session.erase(zh.id)

    assert erased.rule == zh.id
    assert erased.ledger_rows > 0
    kept = "".join(row.model_dump_json() for row in store.ledger(session.subject))
    assert "Chinese" not in kept
    assert await standing(session) == ["content/replies=units"]
    gone = (await session.rules())[0]
    assert (gone.state, is_redacted(gone.value)) == (State.FORGOTTEN, True)


async def test_an_erased_subject_is_gone(session: Session, store: MemoryStore) -> None:
    await said(session, "Chinese please", "Show the units")

    erased = await session.erase()

    assert (erased.rule, erased.ledger_rows) == (None, 2)
    assert await session.rules() == ()
    assert not store.ledger(session.subject)
    assert not store.subjects()


async def test_an_assistant_message_without_an_id_is_told_by_its_place(session: Session) -> None:
    here = Context(conversation="talk")
    messages = [Message(role=Role.ASSISTANT, text="Long."), Message(role=Role.USER, text="?")]
    turns = [
        Turn(
            text="Shorter.", said_at=NINE + timedelta(minutes=i), index=i, before=said, context=here
        )
        for i, said in ((2, tuple(messages)), (4, (*messages, *messages)))
    ]

    for turn in turns:
        await session.observe(turn)

    assert [turn.reacts_to for turn in turns] == ["talk/0", "talk/2"]
    assert await standing(session) == ["length/replies=concise"]

"""The small judge: what it may skip, what it may not, and that it is the same everywhere."""

from datetime import UTC, datetime

import pytest

from henceforth.pipeline.labelling.screen.features import features_of, sentences
from henceforth.pipeline.labelling.screen.judge import intents_of, scores_of, surely_empty
from henceforth.pipeline.settings import Settings
from henceforth.schemas.ids import TurnId
from henceforth.schemas.labels import Intent
from henceforth.schemas.turn import Message, Role, Turn


def turn(text: str, *, before: tuple[Message, ...] = ()) -> Turn:
    return Turn(id=TurnId("t"), text=text, said_at=datetime(2026, 5, 4, tzinfo=UTC), before=before)


@pytest.mark.parametrize("text", ["hi", "thx", "vale", "danke!", "好的"])
def test_a_turn_that_only_greets_or_thanks_needs_no_model(text: str) -> None:
    assert intents_of(turn(text)) == ()


INTENTS = {
    "a rule": ("From now on always call me Kit.", Intent.DURABLE),
    "a rule in another language": ("Ab jetzt bitte immer ohne Emojis.", Intent.DURABLE),
    "for now": ("just this time, make it a bullet list", Intent.THIS_TASK),
    "taken back": ("forget the rule about semicolons", Intent.FORGET),
}


@pytest.mark.parametrize(("text", "intent"), INTENTS.values(), ids=INTENTS)
def test_plain_words_for_an_intent_are_seen(text: str, intent: Intent) -> None:
    assert intents_of(turn(text))[0] is intent


def test_a_rule_under_a_long_paste_is_seen() -> None:
    paste = "The parcel left the depot at noon and came back at three.\n" * 50

    assert intents_of(turn(paste + "From now on always call me Kit."))[0] is Intent.DURABLE
    assert not intents_of(turn(paste))
    assert not surely_empty(turn(paste))


def test_the_message_before_a_short_turn_is_seen() -> None:
    offer = Message(role=Role.ASSISTANT, text="Shall I always answer in bullets from now on?")

    assert scores_of(turn("yes")) != scores_of(turn("yes", before=(offer,)))


@pytest.mark.parametrize("text", ["", "\ud800", "\x00", "🎉", "。。。", "a" * 100_000])
def test_any_text_has_features(text: str) -> None:
    assert all(each.dense for each in features_of(turn(text)))


def test_a_text_is_cut_where_sentences_end_in_any_script() -> None:
    assert sentences("One. Two!\n三。四？पाँच। छह") == ["One.", "Two!", "三。", "四？", "पाँच।", "छह"]


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("openai/qwen2.5-coder-1.5b-instruct", "full"),
        ("ollama_chat/qwen3:0.6b", "full"),
        ("ollama_chat/llama3.1:70b", "off"),
        ("gpt-5", "off"),
        (None, "off"),
    ],
)
def test_only_a_model_too_small_to_tell_is_screened_unasked(
    model: str | None, expected: str
) -> None:
    assert Settings(model=model).screening == expected
    assert Settings(model=model, screen="gate").screening == "gate"

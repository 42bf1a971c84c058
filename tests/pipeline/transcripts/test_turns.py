"""From lines to turns: ids, places, times, speakers and the messages before."""

import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from henceforth.pipeline.transcripts.turns import Read, read_transcript
from henceforth.schemas.turn import Role, Turn

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def read(
    *lines: Any,
    file: str = "chat.jsonl",
    zone: str = "UTC",
    conversation: str | None = None,
    preceding: int = 0,
) -> Read:
    content = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return read_transcript(
        content.encode(),
        file=file,
        zone=ZoneInfo(zone),
        now=NOW,
        conversation=conversation,
        preceding=preceding,
    )


def turns(*lines: Any, **options: Any) -> list[Turn]:
    found = read(*lines, **options)
    assert found.faults == ()
    return [turn for _, turn in found.turns]


def said(content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **more}


ANSWER = {"role": "assistant", "content": "Hello!"}


def test_messages_become_turns_with_those_before() -> None:
    first, second = turns(said("hi"), ANSWER, said("bye"))

    assert (first.id, first.index, first.before) == ("chat/0", 0, ())
    assert (second.id, second.index) == ("chat/2", 2)
    assert [(each.role, each.text) for each in second.before] == [
        (Role.USER, "hi"),
        (Role.ASSISTANT, "Hello!"),
    ]


def test_a_turn_of_henceforth_keeps_what_it_brings() -> None:
    (turn,) = turns(
        {
            "id": "m7",
            "text": "hi",
            "index": 4,
            "speaker": "ana",
            "said_at": "2026-03-01T09:00:00+02:00",
            "before": [{"role": "assistant", "text": "?"}],
            "context": {"conversation": "c1", "repository": "shop", "tags": {"mood": "good"}},
        }
    )

    assert (turn.id, turn.index, turn.speaker) == ("m7", 4, "ana")
    assert turn.said_at.isoformat() == "2026-03-01T09:00:00+02:00"
    assert turn.before[0].text == "?"
    assert (turn.context.conversation, turn.context.repository) == ("c1", "shop")


def test_conversations_are_counted_apart() -> None:
    found = turns(
        said("a", conversation="c1"), said("b", conversation="c2"), said("c", conversation="c1")
    )

    assert [turn.id for turn in found] == ["c1/0", "c2/0", "c1/1"]
    assert [message.text for message in found[2].before] == ["a"]


def test_a_list_of_messages_is_a_conversation_with_what_is_said_of_it() -> None:
    talk = {"messages": [said("hi"), ANSWER], "id": "c9", "user": "bo", "created": 1_772_355_600}
    (turn,) = turns({**talk, "context": {"workspace": "web"}, "model": "m", "tools": []})

    assert (turn.id, turn.speaker, turn.context.workspace) == ("c9/0", "bo", "web")
    assert turn.said_at == datetime(2026, 3, 1, 9, tzinfo=UTC)


def test_conversations_without_a_name_are_named_after_file_and_line() -> None:
    found = turns({"messages": [said("a")]}, {"messages": [said("b")]}, file="logs/march.jsonl")

    assert [turn.id for turn in found] == ["march-1/0", "march-2/0"]


def test_the_name_of_a_conversation_can_be_given() -> None:
    assert turns(said("a"), conversation="today")[0].id == "today/0"


CONTENTS = {
    "text": ("hi", "hi"),
    "parts": ([{"type": "text", "text": "a"}, {"type": "image_url"}, {"text": "b"}], "a\nb"),
    "none": (None, ""),
}


@pytest.mark.parametrize(("content", "text"), CONTENTS.values(), ids=CONTENTS)
def test_a_content_may_have_parts(content: Any, text: str) -> None:
    assert turns(said(content))[0].text == text


def test_the_further_roles_of_openai_are_known() -> None:
    lines = [
        {"role": role, "content": role} for role in ("developer", "system", "function", "tool")
    ]

    (turn,) = turns(*lines, said("hi"))

    assert [each.role for each in turn.before] == [
        Role.SYSTEM,
        Role.SYSTEM,
        Role.TOOL,
        Role.TOOL,
    ]


TIMES = {
    "with its zone": ("2026-03-01T09:00:00+02:00", "2026-03-01T09:00:00+02:00"),
    "without a zone": ("2026-03-01T09:00:00", "2026-03-01T09:00:00+09:00"),
    "of Zulu": ("2026-03-01T09:00:00Z", "2026-03-01T09:00:00+00:00"),
    "seconds since 1970": (1_772_355_600, "2026-03-01T18:00:00+09:00"),
}


@pytest.mark.parametrize(("given", "expected"), TIMES.values(), ids=TIMES)
def test_a_time_without_a_zone_is_in_that_of_the_settings(given: Any, expected: str) -> None:
    (turn,) = turns(said("a", said_at=given), zone="Asia/Tokyo")

    assert turn.said_at.isoformat() == expected


def test_a_turn_without_a_time_is_said_with_the_one_before() -> None:
    found = turns(said("a", said_at="2026-03-01T09:00Z"), ANSWER, said("b"))

    assert found[0].said_at == found[1].said_at


def test_turns_without_any_time_are_said_now_in_the_order_of_the_file() -> None:
    found = turns(said("b", conversation="z"), said("a", conversation="a"))

    assert [turn.text for turn in found] == ["b", "a"]
    assert NOW == found[0].said_at < found[1].said_at


def test_a_clock_that_goes_backwards_is_counted_and_said_order_decides() -> None:
    found = read(
        said("late", said_at="2026-03-02T09:00Z"), said("early", said_at="2026-03-01T09:00Z")
    )

    assert found.backwards == 1
    assert [(turn.text, turn.index) for _, turn in found.turns] == [("early", 1), ("late", 0)]


def test_a_turn_that_several_could_have_said_names_them() -> None:
    found = turns(said("a", user="ana"), said("b", user="bo"), said("c"))

    assert [turn.participants for turn in found] == [(), (), ("ana", "bo")]


def test_one_speaker_in_a_conversation_is_nobody_else() -> None:
    assert turns(said("a", user="ana"), said("b"))[1].participants == ()


def test_a_broken_line_keeps_its_place_for_when_it_is_mended() -> None:
    broken = read(said("a"), "{broken", said("b"))
    mended = turns(said("a"), ANSWER, said("b"))

    assert [turn.id for _, turn in broken.turns] == [turn.id for turn in mended]


WRONG = {
    "no message": ({"x": 1}, "it has no text, no role and no messages"),
    "a number": (7, "it must be an object or a list"),
    "an unknown role": ({"role": "boss", "content": "x"}, "role: Input should be"),
    "an unknown key of a turn": ({"text": "a", "txt": "b"}, "unknown key 'txt'"),
    "an unknown key of the context": (
        {"text": "a", "context": {"repo": "x"}},
        "the context has an unknown key 'repo'",
    ),
    "no time": (said("a", said_at="soon"), "said_at: 'soon' is no time"),
    "a negative place": (said("a", index=-1), "index: Input should be greater than"),
    "an empty speaker": (said("a", speaker=""), "speaker: String should have at least 1"),
    "half a character": ('{"role": "user", "content": "\\ud83d"}', "it holds half a character"),
    "a text that is none": ({"text": 7}, "text: Input should be a valid string"),
    "a message without a role": (
        {"messages": [{"content": "x"}]},
        "messages.0: a message has a role",
    ),
}


@pytest.mark.parametrize(("line", "why"), WRONG.values(), ids=WRONG)
def test_a_line_that_makes_no_sense_says_why_and_the_rest_goes_on(line: Any, why: str) -> None:
    found = read(said("a"), line, said("b"))

    assert [turn.text for _, turn in found.turns] == ["a", "b"]
    assert [str(fault.place) for fault in found.faults] == ["chat.jsonl:2"]
    assert why in found.faults[0].why
    assert "\n" not in found.faults[0].why


def test_a_long_conversation_keeps_as_many_messages_as_are_asked_for() -> None:
    lines = [said(str(number)) for number in range(60)]

    assert len(turns(*lines)[-1].before) == 16
    assert len(turns(*lines, preceding=40)[-1].before) == 40

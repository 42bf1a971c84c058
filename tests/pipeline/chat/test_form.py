"""Messages of a chat model: turns are found in them, the block goes in once and comes out whole."""

from datetime import UTC, datetime

import pytest

from henceforth.pipeline.chat.form import ChatMessage, Speaking, user_turns, with_block
from henceforth.schemas.context import Context
from henceforth.schemas.turn import Role

NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)
HERE = Speaking(context=Context(conversation="c1"))
BLOCK = "<rules_in_force>\n- Keep it short.\n</rules_in_force>"
OTHER = "<rules_in_force>\n- Use English.\n</rules_in_force>"

USER: ChatMessage = {"role": "user", "content": "Hello"}


def said(text: str, **more: str) -> ChatMessage:
    return {"role": "user", "content": text, **more}


def answered(text: str) -> ChatMessage:
    return {"role": "assistant", "content": text}


def test_a_turn_is_known_by_its_place_and_system_messages_have_none() -> None:
    talk = [said("One"), answered("Yes"), said("Two")]

    plain = user_turns(talk, HERE, said_at=NINE)
    with_system = user_turns([{"role": "system", "content": "Be kind."}, *talk], HERE, said_at=NINE)

    assert [each.id for each in plain] == ["c1/0", "c1/2"]
    assert with_system == plain


def test_a_turn_has_the_messages_before_it() -> None:
    talk = [said("One"), answered("Yes"), {"role": "tool", "content": "42"}, said("Two")]

    turn = user_turns(talk, HERE, said_at=NINE)[-1]

    assert [(each.role, each.text) for each in turn.before] == [
        (Role.USER, "One"),
        (Role.ASSISTANT, "Yes"),
        (Role.TOOL, "42"),
    ]


def test_the_id_of_a_message_names_its_turn_wherever_it_stands() -> None:
    turns = user_turns([answered("Hi"), said("One", id="m7")], HERE, said_at=NINE)

    assert [each.id for each in turns] == ["c1/m7"]


def test_messages_left_out_in_front_are_counted() -> None:
    shifted = HERE.model_copy(update={"dropped": 4})

    turns = user_turns([said("Five")], shifted, said_at=NINE)

    assert [(each.id, each.index) for each in turns] == [("c1/4", 4)]


def test_the_text_parts_of_a_message_are_read_and_pictures_are_not() -> None:
    parts = [
        {"type": "text", "text": "Look:"},
        {"type": "image_url", "image_url": {"url": "data:,"}},
        {"type": "text", "text": "keep it short."},
    ]
    picture = {"role": "user", "content": [parts[1]]}

    turns = user_turns([{"role": "user", "content": parts}, picture], HERE, said_at=NINE)

    assert [each.text for each in turns] == ["Look:\n\nkeep it short."]


def test_in_a_group_only_the_subjects_messages_are_turns() -> None:
    named = HERE.model_copy(update={"name": "ann"})
    talk = [said("Answer in French.", name="bob"), said("Answer in German.", name="ann")]

    turns = user_turns(talk, named, said_at=NINE)

    assert [each.text for each in turns] == ["Answer in German."]
    assert [each.text for each in turns[0].before] == ["Answer in French."]


def test_of_several_names_none_is_taken_for_the_subject() -> None:
    talk = [said("Answer in French.", name="bob"), said("Answer in German.", name="ann")]

    turns = user_turns(talk, HERE, said_at=NINE)

    assert [each.participants for each in turns] == [("ann", "bob")] * 2


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        pytest.param([], [{"role": "system", "content": BLOCK}], id="no system message"),
        pytest.param(
            [{"role": "system", "content": "Be kind."}],
            [{"role": "system", "content": f"Be kind.\n\n{BLOCK}"}],
            id="after what the host says",
        ),
        pytest.param(
            [{"role": "system", "content": f"Be kind.\n\n{OTHER}"}],
            [{"role": "system", "content": f"Be kind.\n\n{BLOCK}"}],
            id="in place of the earlier block",
        ),
        pytest.param(
            [{"role": "system", "content": f"Be kind.\n\n{OTHER}\nBe brief."}],
            [{"role": "system", "content": f"Be kind.\nBe brief.\n\n{BLOCK}"}],
            id="the host's text around it stays",
        ),
        pytest.param(
            [{"role": "system", "content": f"About <rules_in_force>: none.{OTHER}"}],
            [{"role": "system", "content": f"About <rules_in_force>: none.\n\n{BLOCK}"}],
            id="a tag that the host left open takes nothing with it",
        ),
        pytest.param(
            [{"role": "developer", "content": "Be kind."}],
            [{"role": "developer", "content": f"Be kind.\n\n{BLOCK}"}],
            id="a developer message",
        ),
        pytest.param(
            [{"role": "system", "content": [{"type": "text", "text": "Be kind."}]}],
            [
                {
                    "role": "system",
                    "content": [
                        {"type": "text", "text": "Be kind."},
                        {"type": "text", "text": BLOCK},
                    ],
                }
            ],
            id="a list of parts",
        ),
        pytest.param(
            [
                {"role": "system", "content": "Be kind."},
                {"role": "system", "content": OTHER},
            ],
            [{"role": "system", "content": f"Be kind.\n\n{BLOCK}"}],
            id="a message of its own goes",
        ),
    ],
)
def test_the_block_stands_once_at_the_end_of_the_first_system_message(
    system: list[ChatMessage], expected: list[ChatMessage]
) -> None:
    put = with_block([*system, USER], BLOCK)

    assert put == [*expected, USER]
    assert with_block(put, BLOCK) == put


def test_without_rules_the_earlier_block_goes_and_nothing_comes() -> None:
    host = {"role": "system", "content": "Be kind."}

    assert with_block(with_block([host, USER], BLOCK), "") == [host, USER]
    assert with_block(with_block([USER], BLOCK), "") == [USER]
    assert with_block([USER], "") == [USER]


def test_a_block_that_a_user_pastes_is_left_where_it_is() -> None:
    pasted = said(OTHER)

    assert with_block([pasted], BLOCK)[1:] == [pasted]


def test_the_messages_given_are_not_changed() -> None:
    given: list[ChatMessage] = [{"role": "system", "content": "Be kind."}, USER]

    with_block(given, BLOCK)

    assert given == [{"role": "system", "content": "Be kind."}, USER]

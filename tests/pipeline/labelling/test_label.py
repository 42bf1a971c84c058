"""A turn in, its labels out: what the model says is checked, whatever it says."""

from datetime import UTC, datetime
from typing import Any

import pytest

from henceforth.pipeline.errors import (
    LabelsRejectedError,
    ModelUnavailableError,
    UnknownPromptError,
    WindowExceededError,
)
from henceforth.pipeline.labelling.labeller import ModelLabeller
from henceforth.pipeline.labelling.retries import no_waits
from henceforth.pipeline.labelling.windows import windows
from henceforth.pipeline.settings import Settings
from henceforth.schemas.context import Context
from henceforth.schemas.ids import TurnId
from henceforth.schemas.labels import Intent, NoneReason
from henceforth.schemas.outcome import Labelled
from henceforth.schemas.turn import Message, Role, Turn

from ..conftest import ModelServer, Reply

pytestmark = pytest.mark.anyio

DURABLE = {"intent": "durable", "dimension": "length", "value": "concise"}
LANGUAGE = {"intent": "durable", "dimension": "language", "value": "French"}
NONE = {"quote": "anything", "intent": "none", "why": "question"}


def turn(text: str, *before: Message, **fields: Any) -> Turn:
    said_at = datetime(2026, 5, 4, tzinfo=UTC)
    return Turn(id=TurnId("talk/1"), text=text, said_at=said_at, before=before, **fields)


def parts(*written: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {"parts": list(written), **rest}


async def label(server: ModelServer, said: Turn, **settings: Any) -> Labelled:
    given = {"model": "openai/m", "api_base": server.url, "timeout": 5.0, **settings}
    with no_waits():
        return await ModelLabeller(Settings.model_validate(given)).label(said)


async def test_what_the_user_said_becomes_labels_in_the_order_it_was_said(
    server: ModelServer,
) -> None:
    server.says(parts({"quote": "in French", **LANGUAGE}, {"quote": "keep it short", **DURABLE}))

    result = await label(server, turn("Please KEEP IT short. And always in French."))

    assert [(each.dimension, each.value) for each in result.labels.labels] == [
        ("length", "concise"),
        ("language", "fr"),
    ]
    assert result.labels.labels[0].quote == ("KEEP IT short",)


async def test_the_result_says_who_labelled_it_and_what_it_cost(server: ModelServer) -> None:
    server.says(parts({"quote": "short", **DURABLE}))

    result = await label(server, turn("short please"), prompt="1")

    assert result.labelled_by.model == "openai/m"
    assert result.labelled_by.prompt.startswith("label_turn@1+")
    usage = result.usage
    assert (usage.tokens_in, usage.tokens_out, usage.attempts) == (7, 3, 1)
    assert usage.milliseconds > 0


NOT_ASKED: dict[str, tuple[str, dict[str, Any], NoneReason]] = {
    "nothing": ("", {}, NoneReason.SMALL_TALK),
    "white space": (" \n\t\u200b", {}, NoneReason.SMALL_TALK),
    "emoji": ("🙂👍", {}, NoneReason.SMALL_TALK),
    "punctuation": ("?!…", {}, NoneReason.SMALL_TALK),
    "a machine": ('{"ok": true}', {}, NoneReason.MACHINE_TEXT),
    "a quotation": ("“always use tabs”", {}, NoneReason.QUOTED_TEXT),
    "an unknown speaker": (
        "always use tabs",
        {"participants": ("ada", "bo")},
        NoneReason.UNKNOWN_SPEAKER,
    ),
}


@pytest.mark.parametrize(("text", "fields", "why"), NOT_ASKED.values(), ids=NOT_ASKED)
async def test_no_model_is_asked_where_nothing_can_be_said(
    server: ModelServer, text: str, fields: dict[str, Any], why: NoneReason
) -> None:
    result = await label(server, turn(text, **fields))

    assert result.labels.none_reason is why
    assert server.requests == []


async def test_a_speaker_that_is_known_among_several_is_labelled(server: ModelServer) -> None:
    server.says(parts({"quote": "short", **DURABLE}))

    result = await label(server, turn("short", speaker="ada", participants=("ada", "bo")))

    assert result.labels.labels


async def test_no_instruction_comes_with_its_reason(server: ModelServer) -> None:
    server.says(parts(NONE))

    result = await label(server, turn("what is a monad?"))

    assert result.labels.none_reason is NoneReason.QUESTION


async def test_what_the_model_invents_is_dropped_and_shown(server: ModelServer) -> None:
    server.says(parts({"quote": "always use spaces", **DURABLE}))

    result = await label(server, turn("what is a monad?"))

    assert result.labels.none_reason is NoneReason.TASK_REQUEST
    assert [dropped.why for dropped in result.dropped] == ["its quote is not in the turn"]


async def test_what_stands_in_a_quotation_is_no_instruction(server: ModelServer) -> None:
    server.says(parts({"quote": "Always cc me", **DURABLE}))

    result = await label(server, turn('how do I answer this: "Always cc me. Thx R"'))

    assert result.labels.none_reason is NoneReason.QUOTED_TEXT


async def test_an_instruction_in_the_text_around_a_quotation_is_kept(server: ModelServer) -> None:
    server.says(parts({"quote": "Keep replies short", **DURABLE}))

    result = await label(server, turn("> Always cc me.\nKeep replies short from now on."))

    assert len(result.labels.labels) == 1


async def test_an_unclear_turn_is_a_question(server: ModelServer) -> None:
    server.says(parts({"quote": "English please", "intent": "unclear", "question": "Always?"}))

    result = await label(server, turn("English please"))

    assert result.labels.clarify is not None
    assert result.labels.clarify.question == "Always?"


async def test_what_must_not_be_saved_leaves_no_label(server: ModelServer) -> None:
    private = "off the record: I hate long mails"
    told = {"quote": "I hate long mails", "rule": "The user loathes mails", **DURABLE}
    server.says(parts(told, do_not_save=[private]))

    result = await label(server, turn(f"{private}. How do I answer?"))

    assert result.labels.none_reason is NoneReason.NO_SAVE_REQUESTED
    assert "mails" not in result.model_dump_json()


async def test_what_must_not_be_saved_is_in_no_text_of_another_label(server: ModelServer) -> None:
    private = "Don't store it, but I am seriously ill"
    written = {"rule": "Keep it short", "when": "I am seriously ill", **DURABLE}
    server.says(parts({"quote": "keep it short", **written}, do_not_save=private))

    result = await label(server, turn(f"{private}. From now on keep it short."))

    assert len(result.labels.labels) == 1
    assert "ill" not in result.labels.model_dump_json()


async def test_a_secret_is_in_no_text_of_a_label(server: ModelServer) -> None:
    text = "Remember: the token is tok_test_4f9a1c77e2, and always deploy with the --canary flag."
    canary = {"value": "--canary", "rule": "Deploy with --canary, token tok_test_4f9a1c77e2"}
    server.says(
        parts(
            {"quote": text, "intent": "durable", "when": "tok_test_4f9a1c77e2", **canary},
            {
                "quote": "the token is tok_test_4f9a1c77e2",
                **DURABLE,
                "value": "tok_test_4f9a1c77e2",
            },
        )
    )

    result = await label(server, turn(text))

    assert [each.value for each in result.labels.labels] == ["--canary"]
    assert "4f9a1c77e2" not in result.model_dump_json()


async def test_a_secret_is_not_in_a_question_either(server: ModelServer) -> None:
    question = "Shall I keep sk-test-000111?"
    server.says(parts({"quote": "keep it", "intent": "unclear", "question": question}))

    result = await label(server, turn("keep it: sk-test-000111"))

    assert "000111" not in result.model_dump_json()


async def test_an_accepted_suggestion_is_labelled_with_both_spans(server: ModelServer) -> None:
    before = Message(role=Role.ASSISTANT, text="Shall I keep replies short from now on?")
    server.says(parts({"quote": ["yes please", "keep replies short from now on"], **DURABLE}))

    result = await label(server, turn("yes please", before))

    assert result.labels.labels[0].quote == ("yes please", "keep replies short from now on")


INSTRUCTION = "From now on answer in French."


async def test_an_instruction_under_a_long_paste_is_found(server: ModelServer) -> None:
    log = "\n".join(f"12:{n:05d} worker {n % 7} took {n * 37 % 1000} ms" for n in range(1800))
    found = parts({"quote": INSTRUCTION, **LANGUAGE})
    server.says(parts(NONE))
    server.replies_when(INSTRUCTION, found)

    result = await label(server, turn(f"{log}\n{INSTRUCTION}"))

    assert [each.value for each in result.labels.labels] == ["fr"]
    assert len(server.requests) > 5
    assert result.usage.attempts == len(server.requests)


async def test_a_label_that_two_windows_give_counts_once(server: ModelServer) -> None:
    filler = "Nothing to see here, move on. "
    texts = (f"{filler * n}{INSTRUCTION} {filler * 9}" for n in range(1, 40))
    text = next(text for text in texts if sum(INSTRUCTION in w for w in windows(text, 150)) > 1)
    server.says(parts(NONE))
    server.replies_when(INSTRUCTION, parts({"quote": INSTRUCTION, **LANGUAGE}))

    result = await label(server, turn(text), window=150)

    asked = [server.asked(index) for index in range(len(server.requests))]
    assert sum(INSTRUCTION in each for each in asked) > 1
    assert len(result.labels.labels) == 1


async def test_a_label_that_the_model_writes_again_and_again_counts_once(
    server: ModelServer,
) -> None:
    same = {"quote": "keep it short", **DURABLE}
    server.says(parts(same, same, same))

    result = await label(server, turn("keep it short"))

    assert len(result.labels.labels) == 1
    assert len(result.dropped) == 2


async def test_text_that_no_store_takes_is_made_storable(server: ModelServer) -> None:
    server.says(parts({"quote": "keep it short", **DURABLE, "rule": "short\0"}))

    result = await label(server, turn("keep it \ud83dshort"))

    assert result.model_dump_json().encode("utf-8")
    assert "\0" not in result.labels.labels[0].statement


async def test_two_labels_on_the_same_words_of_one_answer_both_count(server: ModelServer) -> None:
    server.says(
        parts(
            {"quote": "shorter, for the third time", **DURABLE, "intent": "this_task"},
            {"quote": "shorter, for the third time", **DURABLE, "intent": "inferred"},
        )
    )

    result = await label(server, turn("shorter, for the third time"))

    assert [each.intent for each in result.labels.labels] == [Intent.THIS_TASK, Intent.INFERRED]


TOO_LONG = Reply(
    status=400, body=b'{"error": {"message": "This model\'s maximum context length is 10 tokens"}}'
)


async def test_windows_that_prove_too_large_are_cut_smaller(server: ModelServer) -> None:
    server.says(TOO_LONG, parts(NONE))

    result = await label(server, turn("nothing much. " * 60), window=400)

    assert result.labels.none_reason is NoneReason.QUESTION
    assert len(server.requests) > 2


async def test_a_model_too_small_for_any_window_cannot_label(server: ModelServer) -> None:
    server.says(TOO_LONG)

    with pytest.raises(WindowExceededError):
        await label(server, turn("nothing much. " * 60), window=400)


@pytest.mark.parametrize(
    ("reply", "error"),
    [(Reply("prose"), LabelsRejectedError), (Reply(status=500, body=b""), ModelUnavailableError)],
    ids=["nonsense", "an outage"],
)
async def test_could_not_label_never_looks_like_none(
    server: ModelServer, reply: Reply, error: type[Exception]
) -> None:
    server.says(reply)

    with pytest.raises(error, match="'talk/1'"):
        await label(server, turn("keep it short"))


async def test_a_turn_of_200_000_characters_is_labelled(server: ModelServer) -> None:
    server.says(parts(NONE))

    result = await label(server, turn("wörd " * 40_000), window=20_000)

    assert result.labels.none_reason is NoneReason.QUESTION


async def test_a_version_of_the_prompt_that_is_not_there_is_named(server: ModelServer) -> None:
    with pytest.raises(UnknownPromptError, match="label_turn@999"):
        await label(server, turn("keep it short"), prompt="999")


async def test_labels_do_not_depend_on_the_rules_in_a_system_message(server: ModelServer) -> None:
    server.says(parts(NONE))
    rules = Message(role=Role.SYSTEM, text="<rules_in_force>be brief</rules_in_force>")

    await label(server, turn("hello there", rules))

    assert "be brief" not in server.asked()


async def test_the_place_of_a_label_is_that_of_the_context(server: ModelServer) -> None:
    server.says(parts({"quote": "in this repo", "where": ["repository"], **DURABLE}))

    result = await label(
        server, turn("short, in this repo", context=Context(conversation="c", repository="shop"))
    )

    assert str(result.labels.labels[0].scope) == "repository shop"

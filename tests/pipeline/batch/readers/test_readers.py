"""Each reader, from a file in its real format: what was said, by whom, and what no user wrote."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from henceforth.pipeline.batch.errors import NothingToReadError, UnknownFormatError
from henceforth.pipeline.batch.readers import Machine, ReadOptions, Reject, Said, found, read

FILES = Path(__file__).parents[4] / "fixtures" / "transcripts"

CHAT_MAP = {"text": "body", "said_at": "when", "speaker": "who", "conversation": "chat"}


def everything(path: Path, options: ReadOptions | None = None) -> Sequence[Said | Reject]:
    (source,) = found([path])
    return list(read(source, options))


def turns(path: Path, options: ReadOptions | None = None) -> Sequence[Said]:
    return [each for each in everything(path, options) if isinstance(each, Said)]


def rejects(path: Path, options: ReadOptions | None = None) -> Sequence[Reject]:
    return [each for each in everything(path, options) if isinstance(each, Reject)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param(
            "henceforth-turns.jsonl",
            [("ana", "Use Chinese by default and keep answers concise."), ("ana", "shorter.")],
            id="henceforth, a turn a line",
        ),
        pytest.param(
            "henceforth-messages.jsonl",
            [
                ("ben", "Explain tradeoffs in proposals."),
                ("ben", "Danke, ab jetzt auf Deutsch."),
            ],
            id="henceforth, a message a line",
        ),
        pytest.param(
            "openai.jsonl",
            [
                ("conversation:openai.jsonl:1", "Keep it under 100 words from now on."),
                ("conversation:openai.jsonl:1", "What is in this picture?"),
                ("user-81", "Call the tool."),
                ("user-82", "これからは日本語で答えてください。"),
            ],
            id="OpenAI messages",
        ),
        pytest.param(
            "sharegpt.json",
            [
                ("conversation:QWJhYvA_0", "Always answer in bullet points."),
                ("conversation:QWJhYvA_0", "What is a monad?"),
                ("conversation:i6IyJda_0", "Nunca uses emojis."),
            ],
            id="ShareGPT",
        ),
        pytest.param(
            "wildchat.jsonl",
            [
                (
                    "22fd87ba9b98f7d379b23c7b52961f2d",
                    "Write all code in Rust unless I say otherwise.",
                ),
                ("22fd87ba9b98f7d379b23c7b52961f2d", "Sort a list."),
            ],
            id="WildChat",
        ),
        pytest.param(
            "conversations.json",
            [("me", "Plan three days in Porto."), ("me", "Prices in euros, always.")],
            id="ChatGPT's export",
        ),
        pytest.param(
            "claude-code.jsonl",
            [
                ("me", "Fix the login form. In this repo, never touch the migrations."),
                ("me", "以后提交信息都用中文写。"),
            ],
            id="Claude Code",
        ),
        pytest.param(
            "codex.jsonl",
            [("me", "Never push to main without asking me."), ("me", "Add a health endpoint.")],
            id="Codex",
        ),
        pytest.param("codex-old.jsonl", [("me", "Prefer pnpm over npm here.")], id="Codex of 2025"),
        pytest.param(
            "litellm.jsonl",
            [
                ("cust-7", "Please always answer in Polish."),
                ("cust-7", "Gdzie jest moja paczka?"),
            ],
            id="LiteLLM",
        ),
        pytest.param(
            "langfuse.json",
            [
                ("user-3", "Stop apologising in every answer."),
                ("user-3", "And how do I reset my router?"),
            ],
            id="Langfuse",
        ),
    ],
)
def test_a_format_is_told_by_its_content(name: str, expected: Sequence[object]) -> None:
    said = turns(FILES / name)

    assert [(each.speaker, each.turn.text) for each in said if not each.machine] == expected


def test_a_table_is_read_by_its_columns() -> None:
    said = turns(FILES / "messages.csv", ReadOptions(columns=CHAT_MAP))

    assert [(each.speaker, each.turn.text) for each in said] == [
        ("ana", "Keep answers short, please."),
        ("ana", "And in\nGerman."),
        ("eva", "Usa el sistema métrico."),
    ]
    assert said[1].turn.id == "k1/1"
    assert [each.text for each in said[1].turn.before] == ["Keep answers short, please."]


def test_a_parquet_table_reads_as_its_csv(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = {
        "user": ["ana"],
        "prompt": ["Keep it short."],
        "time": [datetime(2026, 3, 2, tzinfo=UTC)],
    }
    parquet.write_table(pyarrow.table(rows), tmp_path / "log.parquet")

    (said,) = turns(tmp_path / "log.parquet")

    assert (said.speaker, said.turn.text) == ("ana", "Keep it short.")
    assert said.turn.said_at == datetime(2026, 3, 2, tzinfo=UTC)


def test_what_machines_write_in_the_users_role_is_marked() -> None:
    said = [*turns(FILES / "claude-code.jsonl"), *turns(FILES / "codex.jsonl")]

    assert [each.machine for each in said if each.machine] == [
        Machine.COMMAND,
        Machine.COMMAND,
        Machine.TOOL_RESULT,
        Machine.AGENT,
        Machine.NOTICE,
        Machine.SESSION_SUMMARY,
        Machine.INJECTED_RULES,
        Machine.INJECTED_RULES,
    ]


def test_custom_instructions_in_an_export_are_no_turn_of_the_user() -> None:
    marked = [each for each in turns(FILES / "conversations.json") if each.machine]

    assert [(each.turn.text, each.machine) for each in marked] == [
        ("Always answer in French.", Machine.INJECTED_RULES)
    ]


def test_only_the_branch_last_shown_stands_before_a_turn() -> None:
    last = turns(FILES / "conversations.json")[-1]

    assert [each.text for each in last.turn.before] == [
        "Plan three days in Porto.",
        "Day one: the river.",
    ]


def test_a_coding_session_gives_repository_and_branch() -> None:
    first, last = (each for each in turns(FILES / "claude-code.jsonl") if each.machine is None)

    assert (first.turn.context.repository, first.turn.context.branch) == ("shop", "main")
    assert last.turn.context.branch == "fix-login"
    assert turns(FILES / "codex.jsonl")[-1].turn.context.repository == "api"


def test_injected_rules_do_not_stand_before_a_turn() -> None:
    asked = next(each for each in turns(FILES / "codex.jsonl") if not each.machine)

    assert asked.turn.before == ()


def test_a_broken_record_is_kept_with_its_place_and_the_rest_is_read() -> None:
    broken = rejects(FILES / "openai.jsonl")

    assert [str(each.place) for each in broken] == ["openai.jsonl:3", "openai.jsonl:4"]
    assert broken[0].why.startswith("no JSON")
    assert broken[0].raw == '{"messages": [{"role": "user", "content": "broken"'
    assert broken[1].why == "'narrator' is no role"


def test_a_broken_row_of_a_table_is_kept_with_its_line() -> None:
    broken = rejects(FILES / "messages.csv", ReadOptions(columns=CHAT_MAP))

    assert [(each.place.line, each.why) for each in broken] == [
        (5, "'yesterday' is no time"),
        (6, "the row has more or fewer cells than the header"),
    ]


def test_an_array_that_ends_too_early_gives_what_stands_before_its_end(tmp_path: Path) -> None:
    whole = (FILES / "sharegpt.json").read_text("utf-8")
    path = tmp_path / "cut.json"
    path.write_text(whole[: whole.index("i6IyJda_0") + 20], "utf-8")

    said, broken = turns(path), rejects(path)

    assert [each.turn.text for each in said][:1] == ["Always answer in bullet points."]
    assert [each.place.line for each in broken] == [2]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('{"messages": 7}', id="messages that are a number"),
        pytest.param('{"messages": [7]}', id="a message that is a number"),
        pytest.param('{"messages": [{"role": ["user"], "content": "x"}]}', id="a role in a list"),
        pytest.param("[1, 2]", id="a list in a line"),
        pytest.param('"text"', id="a text in a line"),
        pytest.param(
            '{"messages": [{"role": "user", "content": "x"}], "user": "a\\u0000b"}', id="NUL"
        ),
        pytest.param(
            '{"messages": [{"role": "user", "content": "x"}], "created": true}', id="time"
        ),
        pytest.param("[" * 200_000, id="nested too deep"),
        pytest.param('{"a": "\udcff"}', id="no UTF-8"),
    ],
)
def test_no_record_can_stop_the_reading(tmp_path: Path, line: str) -> None:
    path = tmp_path / "hostile.jsonl"
    good = '{"messages": [{"role": "user", "content": "Be brief."}]}'
    path.write_bytes(f"{good}\n{line}\n{good}\n".encode("utf-8", "surrogateescape"))

    given = everything(path)

    assert [type(each) for each in given] == [Said, Reject, Said]
    assert [each.place.line for each in given] == [1, 2, 3]


def test_the_caller_may_say_whose_transcripts_they_are() -> None:
    said = turns(FILES / "openai.jsonl", ReadOptions(speaker="ana"))

    assert {each.speaker for each in said} == {"ana"}


def test_the_caller_may_name_the_format(tmp_path: Path) -> None:
    path = tmp_path / "chats.log"
    path.write_text('{"messages": [{"role": "user", "content": "Hi."}], "mapping": {}}\n', "utf-8")

    said = turns(path, ReadOptions(format="openai"))

    assert [each.turn.text for each in said] == ["Hi."]


def test_records_without_a_time_keep_their_order() -> None:
    times = [each.turn.said_at for each in turns(FILES / "openai.jsonl")]

    assert times[0] == times[1] < times[3]
    assert times[2] == datetime.fromtimestamp(1772442000, UTC)


def test_no_more_than_the_messages_asked_for_are_kept_before_a_turn() -> None:
    said = turns(FILES / "henceforth-turns.jsonl", ReadOptions(preceding=1))

    assert [each.text for each in said[1].turn.before] == ["A long summary."]


def test_an_unknown_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "user.json"
    path.write_text('{"email": "ana@example.org"}', "utf-8")

    with pytest.raises(UnknownFormatError, match="none of the formats"):
        everything(path)


def test_a_folder_gives_its_transcripts_in_one_order(tmp_path: Path) -> None:
    for name in ("b/chat.jsonl", "a/chat.jsonl", "a/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}", "utf-8")

    whole = [each.name for each in found([tmp_path])]
    parts = [each.name for each in found([tmp_path / "b", tmp_path / "a"])]

    assert whole == ["a/chat.jsonl", "b/chat.jsonl"] == parts


def test_a_path_to_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NothingToReadError, match="does not exist"):
        found([tmp_path / "nowhere"])

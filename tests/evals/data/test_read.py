"""Files of cases, turns and rows: read as they are, and what is wrong is said with its place."""

import json
from pathlib import Path
from typing import Any

import pytest

from henceforth.evals.data.cases import Case, CaseIntent
from henceforth.evals.data.read import read_cases, read_lines
from henceforth.evals.errors import SuiteError
from henceforth.evals.rows.rows import Row, RowKind

ROWS = Path(__file__).parents[3] / "fixtures" / "evals" / "rows.jsonl"

CASE: dict[str, Any] = {
    "id": "x1",
    "kind": "try",
    "language": "en",
    "source": "authored",
    "context": {
        "repo": "shop",
        "workspace": None,
        "task_type": "email",
        "cwd": "/srv",
        "user": "A",
    },
    "turns": [
        {"role": "assistant", "text": "Shall I?"},
        {
            "role": "user",
            "text": "Always.",
            "user": "A",
            "context": {"repo": "shop", "conversation": "c1"},
            "said_at": "2026-05-02T10:00:00Z",
        },
    ],
    "expected": [
        {
            "turn": 1,
            "intent": "durable",
            "dimension": "workflow",
            "value": "Do it",
            "scope": "repo",
            "scope_ref": "shop",
            "condition": None,
            "expires": None,
            "accept": {
                "scope": ["everywhere"],
                "intent": ["conditional"],
                "dimension": ["content"],
            },
        }
    ],
    "labels": [
        {
            "turn": 1,
            "intent": "durable",
            "dimension": "workflow",
            "target": "replies",
            "value": "do-it",
            "polarity": "do",
            "scope": None,
            "condition": {"words": "when asked", "tags": ["task:email"]},
            "text": "Do it",
        }
    ],
    "tolerated": [],
    "in_force_after": ["Do it"],
    "not_in_force_after": ["Do not do it"],
    "checks": [
        {"after_turn": 1, "context": None, "in_force": [], "not_in_force": []},
        {"at": "2026-03-09", "event": "the move", "overridden": ["Do it"]},
    ],
    "record": {"must_contain": ["x"], "must_not_contain": ["y"], "language": "en"},
    "fault": {"type": "http_429", "detail": "twice"},
    "now": "2026-03-02",
    "note": "n",
    "url": "https://example.org",
    "paraphrase": "p",
}


def written(folder: Path, *records: object) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in records), "utf-8")
    return path


def test_a_case_with_every_key_is_read_without_conversion(tmp_path: Path) -> None:
    path = written(tmp_path, CASE)

    (case,) = read_cases(path)

    assert case.context is not None
    assert case.context.repository == "shop"
    assert case.fault is not None
    assert case.fault.kind == "http_429"
    assert case.turns[1].user == "A"


def test_a_fault_may_have_keys_of_its_own(tmp_path: Path) -> None:
    path = written(tmp_path, CASE | {"fault": {"kind": "redelivery", "times": 3, "gap": "1h"}})

    (case,) = read_cases(path)

    assert case.fault is not None
    assert case.fault.times == 3


@pytest.mark.parametrize(
    ("word", "intent"),
    [("retire", CaseIntent.FORGET), ("this_task", CaseIntent.ONE_TASK)],
)
def test_the_intents_of_a_label_are_read_in_the_words_of_a_case(
    tmp_path: Path, word: str, intent: CaseIntent
) -> None:
    expected = [CASE["expected"][0] | {"intent": word}]

    (case,) = read_cases(written(tmp_path, CASE | {"expected": expected}))

    assert case.expected[0].intent is intent


@pytest.mark.parametrize(
    ("change", "field"),
    [
        pytest.param({"colour": "red"}, "colour", id="an unknown key"),
        pytest.param({"turns": [{"role": "user"}]}, "turns.0.text", id="a turn without a text"),
        pytest.param({"checks": [{"in_forse": "x"}]}, "checks.0.in_forse", id="a key misspelt"),
        pytest.param({"record": {"must": "x"}}, "record.must", id="an unknown demand"),
        pytest.param(
            {"expected": [CASE["expected"][0] | {"intent": "maybe"}]},
            "expected.0.intent",
            id="an intent that does not exist",
        ),
        pytest.param(
            {"labels": [CASE["labels"][0] | {"span": "week"}]},
            "labels.0.span",
            id="a gold label that is none",
        ),
    ],
)
def test_what_is_wrong_is_said_with_file_line_and_field(
    tmp_path: Path, change: dict[str, Any], field: str
) -> None:
    path = written(tmp_path, CASE, CASE | {"id": "x2"} | change)

    with pytest.raises(SuiteError) as caught:
        read_cases(path)

    assert str(caught.value).startswith(f"{path}:2: {field}: ")


def test_a_label_on_a_turn_of_the_assistant_is_refused(tmp_path: Path) -> None:
    expected = [CASE["expected"][0] | {"turn": 0}]

    with pytest.raises(SuiteError, match="names turn 0, which is no user turn"):
        read_cases(written(tmp_path, CASE | {"expected": expected}))


def test_a_broken_line_is_named_with_its_column(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(CASE) + '\n{"id": \n', "utf-8")

    with pytest.raises(SuiteError, match=r"cases\.jsonl:2: not JSON"):
        read_cases(path)


def test_invalid_utf_8_is_an_error_and_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(b'{"id": "\xff"}')

    with pytest.raises(SuiteError, match="utf-8"):
        read_cases(path)


def test_two_cases_may_not_share_an_id(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="'x1' stands twice"):
        read_cases(written(tmp_path, CASE, CASE))


def test_a_line_separator_inside_a_string_does_not_end_the_record(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(CASE | {"note": "a\u2028b"}, ensure_ascii=False), "utf-8")

    (case,) = read_cases(path)

    assert case.note == "a\u2028b"


def test_a_fault_in_a_yaml_suite_is_named_by_the_id_of_its_case(tmp_path: Path) -> None:
    path = tmp_path / "try.yaml"
    path.write_text("kind: try\ncases:\n- id: y1\n  kind: try\n  turns: []\n", "utf-8")

    with pytest.raises(SuiteError, match=r"cases\.y1\.turns"):
        read_cases(path)


def test_rows_of_all_shapes_are_read_and_unknown_keys_pass() -> None:
    rows = read_lines(ROWS, Row)

    kinds = [row.kind for row in rows]
    assert kinds.count(RowKind.LABELS) == 7
    assert kinds.count(RowKind.STATE) == 1
    assert kinds.count(RowKind.RETRIEVAL) == 2


def test_a_row_that_says_nothing_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, {"id": "r1", "gold": {"intent": "none"}})

    with pytest.raises(SuiteError, match="a row has `text`"):
        read_lines(path, Row)


def test_a_case_without_gold_labels_is_still_a_case(tmp_path: Path) -> None:
    plain = {key: value for key, value in CASE.items() if key != "labels"}

    (case,) = read_lines(written(tmp_path, plain), Case)

    assert case.labels is None

"""Splitting a file into values: every line is a value or a fault, and no fault stops the rest."""

import json
from typing import Any

import pytest

from henceforth.pipeline.transcripts.lines import Fault, Value, read_values

A, B = {"role": "user", "content": "a"}, {"role": "user", "content": "b"}
TALK = {"messages": [A, B]}


def values(content: bytes) -> list[object]:
    return [each.value for each in read_values(content, file="t") if isinstance(each, Value)]


def faults(content: bytes) -> list[str]:
    read = read_values(content, file="t.jsonl")
    return [f"{each.place}: {each.why}" for each in read if isinstance(each, Fault)]


FORMS: dict[str, tuple[str, list[Any]]] = {
    "one value a line": (f"{json.dumps(A)}\n{json.dumps(B)}\n", [A, B]),
    "empty lines and line ends of Windows": (f"\n{json.dumps(A)}\r\n\r\n", [A]),
    "one line": (json.dumps(TALK), [TALK]),
    "a conversation over several lines": (json.dumps(TALK, indent=2), [TALK]),
    "a list of messages is one conversation": (json.dumps([A, B]), [[A, B]]),
    "a list of messages over several lines": (json.dumps([A, B], indent=1), [[A, B]]),
    "a list of conversations is its items": (json.dumps([TALK, TALK], indent=1), [TALK, TALK]),
    "a list of turns is its items": (json.dumps([{"text": "a"}]), [{"text": "a"}]),
    "lists of messages line by line": (f"{json.dumps([A])}\n{json.dumps([B])}", [[A], [B]]),
    "a byte order mark": ("\ufeff" + json.dumps(A), [A]),
    "other line separators inside a text": (
        '{"text": "a\u2028b\u0085c"}',
        [{"text": "a\u2028b\x85c"}],
    ),
    "nothing": ("", []),
    "white space": (" \n\t\n", []),
}


@pytest.mark.parametrize(("content", "expected"), FORMS.values(), ids=FORMS)
def test_each_form_is_told_by_its_content(content: str, expected: list[object]) -> None:
    assert values(content.encode()) == expected
    assert faults(content.encode()) == []


BROKEN = {
    "half an object": (b'{"text": "a"', "not JSON"),
    "prose": (b"hello", "not JSON: Expecting value at column 1"),
    "no UTF-8": (b'{"text": "\xff"}', "not UTF-8: byte 10 of the line is 0xff"),
    "too deep": (b"[" * 100_000, "not JSON that can be read"),
    "a number too long": (b'{"index": 1' + b"0" * 5000 + b"}", "not JSON that can be read"),
}


@pytest.mark.parametrize(("line", "why"), BROKEN.values(), ids=BROKEN)
def test_a_broken_line_is_named_and_the_rest_goes_on(line: bytes, why: str) -> None:
    content = b'{"text": "a"}\n' + line + b'\n{"text": "b"}'

    assert values(content) == [{"text": "a"}, {"text": "b"}]
    assert len(faults(content)) == 1
    assert faults(content)[0].startswith(f"t.jsonl:2: {why}")


def test_a_broken_document_is_broken_line_by_line() -> None:
    assert len(faults(b'[\n{"text": "a"},\n')) == 2

"""A long turn is seen whole: nothing is cut in silence."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from henceforth.pipeline.labelling.windows import (
    OVERLAP,
    estimated_tokens,
    windows,
    without_quotations,
)

INSTRUCTION = "From now on answer in Portuguese."
LOG = "\n".join(f"12:{n:05d} worker {n % 7} took {n * 37 % 1000} ms" for n in range(1800))

TEXTS = st.text(alphabet=st.sampled_from("ab1 .\n語é。🙂"), max_size=400)


def test_a_text_that_fits_comes_back_whole() -> None:
    assert windows(INSTRUCTION, 100) == [INSTRUCTION]


PLACES = {"above": f"{INSTRUCTION}\n{LOG}", "below": f"{LOG}\n{INSTRUCTION}"}
PLACES["in the middle"] = f"{LOG[:25_000]}\n{INSTRUCTION}\n{LOG[25_000:]}"


@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES)
def test_an_instruction_beside_a_long_paste_is_whole_in_a_window(text: str) -> None:
    assert len(text) > 50_000

    parts = windows(text, 2000)

    assert any(INSTRUCTION in part for part in parts)
    assert max(map(estimated_tokens, parts)) <= 2000


@given(TEXTS, st.integers(20, 60))
def test_every_character_is_in_some_window(text: str, tokens: int) -> None:
    parts = windows(text, tokens)

    at = 0
    for part in parts:
        found = text.find(part, max(at - len(part), 0))
        assert found <= at
        at = max(at, found + len(part))
    spoken = any(character.isalnum() for character in text[at:])
    assert not spoken


WORDS = st.lists(st.text(alphabet="abcé語", min_size=1, max_size=9), min_size=60, max_size=90)


@given(WORDS, st.integers(40, 80), st.sampled_from([" ", "\n", ". ", ""]))
def test_a_stretch_of_a_fifth_of_a_window_is_whole_in_one(
    words: list[str], tokens: int, between: str
) -> None:
    pieces = [f"{index}{word}" for index, word in enumerate(words)]

    parts = windows(between.join(pieces), tokens)

    for first, second in pairwise(pieces):
        stretch = f"{first}{between}{second}"
        small = estimated_tokens(stretch) <= tokens // OVERLAP
        assert not small or any(stretch in part for part in parts)


REPEATED = {"lines": LOG, "a paragraph and no break after it": "Hello.\n\n" + "x" * 20_000}


@pytest.mark.parametrize("text", REPEATED.values(), ids=REPEATED)
def test_windows_repeat_no_more_than_they_must(text: str) -> None:
    parts = windows(text, 1000)

    assert sum(map(len, parts)) < 1.8 * len(text)


def test_digits_and_letters_of_every_script_have_their_weight() -> None:
    assert estimated_tokens("1234567890") == 10
    assert estimated_tokens("語語語") == 3
    assert estimated_tokens("abcdefghi") == 3


@given(TEXTS, st.integers(20, 60))
def test_no_window_is_larger_than_asked(text: str, tokens: int) -> None:
    assert all(estimated_tokens(part) <= tokens for part in windows(text, tokens))


def test_windows_end_where_a_line_or_a_sentence_ends() -> None:
    parts = windows(LOG, 500)

    assert all(part.startswith("12:") for part in parts)
    assert all(part.endswith("\n") for part in parts[:-1])


def test_the_inside_of_a_long_quotation_is_left_out_and_what_is_said_around_it_stays() -> None:
    text = f"fix this:\n```\n{LOG}\n```\n{INSTRUCTION}"

    (shown,) = windows(text, 2000)

    assert shown.startswith("fix this:\n```\n")
    assert shown.endswith(f"```\n{INSTRUCTION}")
    assert "[… " in shown


@pytest.mark.parametrize("length", [10, 700], ids=["short", "not much longer than its ends"])
def test_quotations_that_are_not_long_stay_as_they_are(length: int) -> None:
    text = f"he said “{'x' * length}” and `x = 1`"

    assert without_quotations(text) == text


def test_a_part_in_which_nothing_is_said_is_left_out() -> None:
    text = f"{INSTRUCTION}\n" + "“word word word” " * 400

    assert len(windows(text, 200)) < len(windows("“word word word” " * 400, 200))
    assert INSTRUCTION in windows(text, 200)[0]


LONG = {
    "without a single break": "x" * 200_000,
    "digits": "7" * 100_000,
    "only line breaks": "\n" * 200_000 + "a",
    "emoji": "🙂" * 50_000 + "a",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_very_long_text_ends_in_windows(text: str) -> None:
    parts = windows(text, 2000)

    assert parts
    assert all(estimated_tokens(part) <= 2000 for part in parts)

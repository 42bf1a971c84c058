"""Finding words again, whatever their form."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from henceforth.pipeline.labelling.folded import Place, contains, find, merged

SAME = {
    "case": ("ALWAYS use tabs", "always Use Tabs"),
    "white space": ("use  tabs\n\talways", "use tabs always"),
    "no space at all": ("以后 都用 中文", "以后都用中文"),
    "composed and decomposed": ("re\u0301sume\u0301 court", "résumé court"),
    "two marks in either order": ("a\u0302\u0323", "\u1ead"),
    "full width": ("ＡＢＣ１２３", "abc123"),
    "sharp s": ("Straße", "STRASSE"),
    "curly and straight quotes": ("don\u2019t say \u201chi\u201d", 'don\'t say "hi"'),
    "dashes": ("a \u2013 b", "a - b"),
    "a joiner of Persian": ("می\u200cخواهم", "میخواهم"),
    "a mark of direction": ("עב\u200fרית", "עברית"),
    "half-width kana": ("ｶﾅ", "カナ"),
    "an emoji with and without its form": ("ok \u2764\ufe0f ok", "ok \u2764 ok"),
}


@pytest.mark.parametrize(("text", "words"), SAME.values(), ids=SAME)
def test_the_same_words_in_another_form_are_found(text: str, words: str) -> None:
    assert list(find(words, text)) == [Place(0, len(text))]


OTHER = {
    "other words": ("use tabs", "use spaces"),
    "words in another order": ("use tabs", "tabs use"),
    "an accent left out": ("résumé", "resume"),
    "nothing to look for": ("use tabs", " \u200b "),
}


@pytest.mark.parametrize(("text", "words"), OTHER.values(), ids=OTHER)
def test_other_words_are_not_found(text: str, words: str) -> None:
    assert not contains(text, words)


def test_every_place_is_found_with_its_own_bounds() -> None:
    text = "Short! And then: SHORT."

    places = list(find("short", text))

    assert [text[place.start : place.end] for place in places] == ["Short", "SHORT"]


@given(st.text(max_size=30), st.data())
def test_any_part_of_a_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    part = text[start : data.draw(st.integers(start, len(text)))]

    shows_something = any(character.isalnum() for character in part)

    assert contains(text, part) or not shows_something


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40))))
def test_merging_keeps_the_ground_and_removes_overlaps(bounds: list[tuple[int, int]]) -> None:
    places = [Place(min(pair), max(pair)) for pair in bounds if pair[0] != pair[1]]

    result = merged(places)

    ground = {at for place in places for at in range(place.start, place.end)}
    assert {at for place in result for at in range(place.start, place.end)} == ground
    assert all(one.end < other.start for one, other in pairwise(result))

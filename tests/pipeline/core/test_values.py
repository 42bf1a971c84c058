"""When two values mean the same, in any language, and when they do not."""

import pytest

from henceforth.pipeline.core.values import canonical, features, lemmas, meaning, words
from henceforth.schemas.labels import Polarity, slug

DO, AVOID, LIFT = Polarity.DO, Polarity.AVOID, Polarity.LIFT


@pytest.mark.parametrize(
    ("dimension", "one", "other"),
    [
        pytest.param("language", "Chinese", "zh", id="the English name of a language is its tag"),
        pytest.param("language", "中文", "zh", id="a language's own name is its tag"),
        pytest.param("language", "Portugiesisch", "pt", id="a name in a third language is its tag"),
        pytest.param("language", "EN-us", "en-US", id="a tag in any case is one tag"),
        pytest.param("language", "en_GB", "en-GB", id="a tag with an underscore is one tag"),
        pytest.param("length", "Concise", "concise", id="case does not matter"),
        pytest.param("length", "max-200-words", "max 200 words", id="separators do not matter"),
        pytest.param("format", "bullets", "bullet", id="the form of an English word is one word"),
        pytest.param("tone", "ｆｏｒｍａｌ", "formal", id="full width is plain"),
        pytest.param("content", "cafe\u0301", "caf\u00e9", id="composed and decomposed are one"),
        pytest.param("content", "❤️", "❤", id="a variation selector does not matter"),
        pytest.param("tooling", "Straße", "STRASSE", id="case folding is full"),
    ],
)
def test_one_value_in_two_spellings_is_one(dimension: str, one: str, other: str) -> None:
    assert canonical(one, dimension) == canonical(other, dimension)


@pytest.mark.parametrize(
    ("dimension", "one", "other"),
    [
        pytest.param("language", "en-US", "en-GB", id="two regions are two languages"),
        pytest.param("language", "zh-Hans", "zh-Hant", id="two scripts are two languages"),
        pytest.param("language", "formal", "casual", id="what is no language keeps its words"),
        pytest.param("tooling", "c", "c++", id="a sign is part of the value"),
        pytest.param("tooling", "c#", "c++", id="two signs are two values"),
        pytest.param("addressing", "Andreas", "Andrea", id="a name has no plural"),
        pytest.param("addressing", "राम", "रोमी", id="a vowel sign tells two names apart"),
        pytest.param("addressing", "ครับ", "ครบ", id="a Thai mark tells two words apart"),
        pytest.param("format", "✅", "❌", id="two symbols are two values"),
        pytest.param("format", "end with ❤️", "end with ☀️", id="symbols within words count"),
        pytest.param("format", "—", "-", id="marks alone are compared as they are"),
        pytest.param("length", "max 200 words", "max 300 words", id="numbers count"),
    ],
)
def test_two_values_are_not_one(dimension: str, one: str, other: str) -> None:
    assert canonical(one, dimension) != canonical(other, dimension)


@pytest.mark.parametrize("word", ["on", "off", "none", "disabled"])
def test_a_switch_is_no_language(word: str) -> None:
    assert canonical(word, "language") == " ".join(lemmas(word))


@pytest.mark.parametrize("word", ["off", "none", "no", "disabled", "OFF"])
def test_off_on_a_target_is_to_avoid_the_target(word: str) -> None:
    off = meaning(word, DO, "format", "tables")

    assert off == meaning("table", AVOID, "format", "tables")
    assert off == meaning("on", AVOID, "format", "tables")
    assert off != meaning("on", DO, "format", "tables")


def test_to_avoid_off_is_to_ask_for_the_target() -> None:
    assert meaning("off", AVOID, "format", "tables") == meaning("on", DO, "format", "tables")


@pytest.mark.parametrize("word", ["on", "yes", "enabled", "table", "Tables"])
def test_on_and_the_target_itself_are_equal(word: str) -> None:
    assert meaning(word, DO, "format", "tables") == meaning("on", DO, "format", "tables")


def test_to_lift_a_target_is_neither_on_nor_off() -> None:
    lifted = meaning("off", LIFT, "format", "tables")

    assert lifted == meaning("on", LIFT, "format", "tables")
    assert lifted not in [meaning("on", each, "format", "tables") for each in (DO, AVOID)]


@pytest.mark.parametrize("tag", ["no", "yes"])
def test_in_a_language_slot_a_tag_is_a_language(tag: str) -> None:
    said = meaning(tag, DO, "language", "replies")

    assert said.polarity is DO
    assert said.value == tag
    assert not said.opposite


def test_forbidding_and_lifting_are_opposite_to_asking() -> None:
    polarities = {p: meaning("en", p, "language", "replies").opposite for p in Polarity}

    assert polarities == {DO: False, AVOID: True, LIFT: True}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Kurze Tabellen!", ("kurze", "tabellen"), id="words, folded"),
        pytest.param("snake_case", ("snake", "case"), id="an underscore separates"),
        pytest.param("C++ & C#", ("c", "++", "&", "c", "#"), id="signs are words"),
        pytest.param("संदेश में", ("संदेश", "में"), id="vowel signs stay on their word"),
        pytest.param("你好 世界", ("你好", "世界"), id="scripts without spaces"),
        pytest.param("\u0301 \ufe0f", (), id="marks on nothing are no word"),
        pytest.param("", (), id="nothing"),
    ],
)
def test_words_are_folded_for_comparison(text: str, expected: tuple[str, ...]) -> None:
    assert words(text) == expected


def test_lemmas_are_base_forms() -> None:
    assert lemmas("Shorter answers") == ("short", "answer")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Short answers", {"short", "answer"}, id="base forms"),
        pytest.param("回答要简短", {"回答", "答要", "要简", "简短"}, id="pairs of Chinese"),
        pytest.param("短", {"短"}, id="a single Chinese character"),
        pytest.param("ภาษา", {"ภา", "าษ", "ษา"}, id="pairs of Thai"),
        pytest.param("ひらがな", {"ひら", "らが", "がな"}, id="pairs of Japanese"),
        pytest.param("الردود القصيرة", {"الردود", "القصيرة"}, id="Arabic words"),
        pytest.param("", set[str](), id="nothing"),
    ],
)
def test_features_are_words_or_pairs_of_characters(text: str, expected: set[str]) -> None:
    assert features(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Commit messages", "commit-messages", id="words"),
        pytest.param("  unit_tests!", "unit-tests", id="what separates goes"),
        pytest.param("संदेश में", "संदेश-में", id="vowel signs stay"),
        pytest.param("Titel ❤️", "titel", id="no bare marks"),
        pytest.param("…", "", id="nothing left"),
    ],
)
def test_a_slug_keeps_the_words_of_any_script(text: str, expected: str) -> None:
    assert slug(text) == expected

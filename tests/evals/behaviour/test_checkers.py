"""Checks of answers: each can pass and fail, in more than one script."""

import pytest

from henceforth.evals.behaviour.checkers import Checks, check_answer, words_of

ENGLISH = "A load balancer spreads requests over several servers so that none is overwhelmed."
CHINESE = "负载均衡器把请求分配到多台服务器上，避免单台服务器过载。"
LIST = "Two things:\n- one\n- two\n"
TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"


@pytest.mark.parametrize(
    ("answer", "checks", "passes"),
    [
        pytest.param(ENGLISH, {"language": "en"}, True, id="English is English"),
        pytest.param(CHINESE, {"language": "zh"}, True, id="Chinese is Chinese"),
        pytest.param(ENGLISH, {"language": "zh"}, False, id="English is not Chinese"),
        pytest.param(
            "```python\nprint('hello world, this is code')\n```\n" + CHINESE,
            {"language": "zh"},
            True,
            id="code has no language",
        ),
        pytest.param(ENGLISH, {"max_words": 13}, True, id="13 words are 13"),
        pytest.param(ENGLISH, {"max_words": 12}, False, id="13 words are more than 12"),
        pytest.param(ENGLISH, {"min_words": 20}, False, id="13 words are less than 20"),
        pytest.param("One. Two! Three?", {"max_sentences": 2}, False, id="three sentences"),
        pytest.param("一。二。", {"max_sentences": 2}, True, id="two Chinese sentences"),
        pytest.param("a\n\nb", {"max_lines": 2}, True, id="empty lines are none"),
        pytest.param(LIST, {"lists": True}, True, id="a list is there"),
        pytest.param(LIST, {"lists": False}, False, id="a list that must not be"),
        pytest.param("1. first\n2. second", {"lists": True}, True, id="a numbered list"),
        pytest.param("3-2 is 1 - really", {"lists": False}, True, id="a minus is no list"),
        pytest.param(TABLE, {"tables": False}, False, id="a table that must not be"),
        pytest.param("# Top\ntext", {"headings": True}, True, id="a heading"),
        pytest.param("Fine 🎉", {"emoji": False}, False, id="an emoji"),
        pytest.param("a → b ≤ c", {"emoji": False}, True, id="arrows are no emoji"),
        pytest.param("```\nx\n```", {"code_fence": True}, True, id="a fence"),
        pytest.param(ENGLISH, {"contains": ["Load Balancer"]}, True, id="case is ignored"),
        pytest.param(ENGLISH, {"contains": ["proxy"]}, False, id="a word is missing"),
        pytest.param(ENGLISH, {"not_contains": ["servers"]}, False, id="a banned word"),
    ],
)
def test_a_check_says_what_is_so(answer: str, checks: dict[str, object], passes: bool) -> None:
    (result,) = check_answer(answer, Checks.model_validate(checks))

    assert result.passed is passes


def test_what_is_not_asked_is_not_checked() -> None:
    assert check_answer(ENGLISH, Checks()) == ()


def test_scripts_without_spaces_count_two_characters_a_word() -> None:
    assert words_of("负载均衡") == 2
    assert words_of("use 负载均衡 now") == 4

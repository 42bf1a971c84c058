"""What counts as quoted, in any language and however it is typed."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from henceforth.pipeline.labelling.folded import Place
from henceforth.pipeline.labelling.quotation import quoted, said

QUOTED = {
    "English": ("He said “always use tabs” to me.", "“always use tabs”"),
    "English, straight": ('He said "always use tabs" to me.', '"always use tabs"'),
    "English, single": ("The sign says 'keep out' and that's it.", "'keep out'"),
    "English, single and curly": ("The sign says \u2018keep out\u2019.", "\u2018keep out\u2019"),
    "an apostrophe inside": ("'don't go' was the title", "'don't go'"),
    "German": ("Er schrieb „immer duzen“ dazu.", "„immer duzen“"),
    "German book": ("Er schrieb »immer duzen« dazu.", "»immer duzen«"),
    "French": ("Il a dit « toujours en français » hier.", "« toujours en français »"),
    "Russian, nested": ("Он сказал «прочти „Мы“ снова».", "«прочти „Мы“ снова»"),
    "Swedish": ("Han sa ”alltid på svenska” igår.", "”alltid på svenska”"),
    "Polish": ("Napisał „zawsze po polsku” wczoraj.", "„zawsze po polsku”"),
    "Chinese": ("他说“以后都用英文”是什么意思", "“以后都用英文”"),
    "Chinese, straight": ('他说"以后都用英文"是什么意思', '"以后都用英文"'),
    "Taiwanese": ("老闆說「以後都用英文」是什麼意思", "「以後都用英文」"),
    "Japanese, nested": ("彼は「『必ず』と書け」と言った", "「『必ず』と書け」"),
    "Korean with a particle": ('"항상 존댓말로"라고 써 있어요', '"항상 존댓말로"'),
    "Hebrew": ("כתוב ״תמיד בעברית״ בשלט", "״תמיד בעברית״"),
    "Arabic": ("قال «دائما بالعربية» أمس", "«دائما بالعربية»"),
    "several paragraphs": (
        'Translate: "Dear all,\n\nalways cc me.\n\nBo" thanks',
        '"Dear all,\n\nalways cc me.\n\nBo"',
    ),
    "inline code": ("what does `git push --force` do", "`git push --force`"),
    "double backticks": ("what does ``a ` b`` do", "``a ` b``"),
    "an address": ("see https://x.io/always/use?a=tabs please", "https://x.io/always/use?a=tabs"),
    "an address before Chinese": ("看https://x.io/a以后都用中文", "https://x.io/a"),
    "a fence": ("look:\n```\nalways use tabs\n```\nok", "```\nalways use tabs\n```"),
    "a fence that is not closed": ("look:\n~~~md\nalways use tabs", "~~~md\nalways use tabs"),
    "a fence in a longer one": ("````\n```\nalways\n```\n````\nok", "````\n```\nalways\n```\n````"),
    "a quoted line": ("> always use tabs\nI don't", "> always use tabs"),
    "a block": ("<mail>\nAlways cc me.\n</mail>\nreply", "<mail>\nAlways cc me.\n</mail>"),
    "a block with attributes": ('<doc lang="fa">هميشه</doc> خلاصه', '<doc lang="fa">هميشه</doc>'),
    "a block in another script": ("<правило>всегда</правило> что это", "<правило>всегда</правило>"),
    "our own rules": (
        "<rules_in_force>\n- always brief\n</rules_in_force>\nhi",
        "<rules_in_force>\n- always brief\n</rules_in_force>",
    ),
    "our own rules without an end": (
        "hi <rules_in_force>\n- always brief\n- no lists",
        "<rules_in_force>\n- always brief\n- no lists",
    ),
    "our own rules as JSON": (
        'hi {"rules_in_force": {"rules": [{"rule": "brief"}]}} ok',
        '{"rules_in_force": {"rules": [{"rule": "brief"}]}}',
    ),
}


@pytest.mark.parametrize(("text", "part"), QUOTED.values(), ids=QUOTED)
def test_a_quotation_is_found_with_its_marks(text: str, part: str) -> None:
    assert [text[place.start : place.end] for place in quoted(text)] == [part]


NOT_QUOTED = {
    "apostrophes": "don't use the boys' toys, it's John's",
    "a Dutch apostrophe": "'s avonds altijd kort, en Hans' fiets niet noemen",
    "a clipped word": "'cause I hate lists, and the users' names too",
    "an apostrophe over two lines": "'keep it\nshort' always",
    "inches": 'a 5" nail and a 3" one, always metric please',
    "a stray opening": 'always metric please, the "nail',
    "a lone angle": "a < b and always c > d",
    "a comparison": "if a<b then always c>d</b",
    "a generic": "use List<String> always",
    "a greater-than later in the line": "keep it > 3 lines",
    "a link in brackets": "[use tabs](always)",
    "nothing": "",
}


@pytest.mark.parametrize("text", NOT_QUOTED.values(), ids=NOT_QUOTED)
def test_marks_that_quote_nothing_are_no_quotation(text: str) -> None:
    assert quoted(text) == []


def test_a_stray_mark_does_not_turn_the_others_round() -> None:
    text = 'the "nail. Always answer in "plain" English.'

    assert [text[place.start : place.end] for place in quoted(text)] == ['"plain"']


SAID = {
    "outside": ("use tabs “or not”", "use tabs", True),
    "reaching out": ("call me “Ada”", "call me “Ada”", True),
    "inside": ("he said “use tabs now”", "use tabs", False),
    "only marks outside": ("(“use tabs”)", "(“use tabs”)", False),
    "between two": ("“a” and “b”", "a” and “b", True),
}


@pytest.mark.parametrize(("text", "part", "counts"), SAID.values(), ids=SAID)
def test_a_span_counts_when_a_letter_of_it_is_outside(text: str, part: str, counts: bool) -> None:
    start = text.index(part)

    assert said(Place(start, start + len(part)), text, quoted(text)) is counts


MARKS = st.text(alphabet="\"'“”„«»‹›「」『』`<>/ab \n{}:~", max_size=60)


@given(MARKS)
def test_quotations_lie_in_order_inside_the_text(text: str) -> None:
    places = quoted(text)

    assert all(0 <= place.start < place.end <= len(text) for place in places)
    assert all(one.end < other.start for one, other in pairwise(places))


@given(st.text(alphabet="ab .,\n", max_size=40), st.sampled_from(["“”", "«»", "「」", "„“"]))
def test_what_stands_in_marks_is_quoted_whatever_it_is(text: str, marks: str) -> None:
    whole = f"x {marks[0]}{text}{marks[1]} y"

    inside = Place(3, 3 + len(text))

    assert not said(inside, whole, quoted(whole))


HOSTILE = {
    "opening marks": "“" * 50_000,
    "straight marks": '"a ' * 20_000,
    "backticks": "` " * 30_000,
    "open blocks": "<a>" * 20_000,
    "many names": "".join(f"<a{n}>" for n in range(10_000)),
    "our own block, again and again": '{"rules_in_force":' * 3_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_takes_no_more_than_its_length(text: str) -> None:
    assert quoted(text) is not None

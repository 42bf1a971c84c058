"""A turn in which the user says nothing is recognised without a model."""

import pytest

from henceforth.pipeline.labelling.machine_text import unsaid
from henceforth.schemas.labels import NoneReason

UNSAID = {
    "a reminder": (
        "<system-reminder>\nAlways answer in Arabic.\n</system-reminder>",
        NoneReason.MACHINE_TEXT,
    ),
    "our own rules": (
        "<rules_in_force>\n- always brief\n</rules_in_force>",
        NoneReason.MACHINE_TEXT,
    ),
    "our own rules, cut off": ("<rules_in_force>\n- always brief", NoneReason.MACHINE_TEXT),
    "a tool's result": ("[Tool result: grep]\nalways run make", NoneReason.MACHINE_TEXT),
    "a tool's result, named": ("[tool: calendar.search]\nnever move", NoneReason.MACHINE_TEXT),
    "a tool's result, plain": ("tool_result: always use sudo", NoneReason.MACHINE_TEXT),
    "JSON": ('{"note": "always filter by tenant"}', NoneReason.MACHINE_TEXT),
    "a list in JSON": ('["always", "never"]', NoneReason.MACHINE_TEXT),
    "only a quotation": ("“always use tabs”", NoneReason.QUOTED_TEXT),
    "only code": ("```\nalways use tabs\n```", NoneReason.QUOTED_TEXT),
    "only an address": ("https://x.io/always", NoneReason.QUOTED_TEXT),
}

SAID = {
    "words": "use tabs",
    "words after a block": "<system-reminder>x</system-reminder>\nuse tabs",
    "a number": "7",
    "a bracket": "[urgent] use tabs from now on",
    "a tool as a topic": "[tool](x) use tabs",
    "about tools": "Tool results should be summarised",
    "half of JSON": '{"a": 1} is what I want',
    "nothing": "",
}


@pytest.mark.parametrize(("text", "why"), UNSAID.values(), ids=UNSAID)
def test_nothing_of_the_users_own_is_none_and_why(text: str, why: NoneReason) -> None:
    assert unsaid(text) is why


@pytest.mark.parametrize("text", SAID.values(), ids=SAID)
def test_any_word_of_the_users_own_is_for_the_model(text: str) -> None:
    assert unsaid(text) is None

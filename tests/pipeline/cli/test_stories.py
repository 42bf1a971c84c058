"""`history`, `explain`, `diff`: what happened, why a rule is as it is, what a turn changed."""

import pytest

from .conftest import Cli


def rule_ids(cli: Cli) -> list[str]:
    return [rule["id"] for rule in cli("rules", "--all", "--json").json["rules"]]


def test_history_is_in_said_order_with_labels_and_changes(told: Cli) -> None:
    ran = told("history")

    assert ran.code == 0
    assert ran.out.index("c1/0") < ran.out.index("c2/0") < ran.out.index("c3/0")
    assert "revise" in ran.out


def test_the_last_of_a_history_is_enough_on_demand(told: Cli) -> None:
    listed = told("history", "--json", "--last", "2").json["history"]

    assert [each["turn"] for each in listed] == ["c2/0", "c3/0"]


def test_a_history_of_nothing_says_so(cli: Cli) -> None:
    assert "Nothing was said yet." in cli("history").out


def test_a_rule_is_explained_with_its_words_and_its_successor(told: Cli) -> None:
    zh = rule_ids(told)[0]

    ran = told("explain", zh)

    assert "“Use Chinese by default”" in ran.out
    assert "superseded by turn c3/0" in ran.out
    assert "It was replaced by" in ran.out
    assert told("explain", zh, "--json").json["superseded_by"]["value"] == "en"


def test_an_id_may_be_cut_short_while_it_means_one_rule(told: Cli) -> None:
    short = rule_ids(told)[0][:6]

    assert told("explain", short, "--json").json["rule"]["value"] == "zh"


def test_an_ambiguous_id_lists_what_it_could_mean(told: Cli) -> None:
    ran = told("explain", "r")

    assert (ran.code, ran.out) == (2, "")
    assert all(each in ran.err for each in rule_ids(told))


UNKNOWN = {
    "explain": (["explain", "nix"], "there is no rule 'nix'"),
    "forget": (["forget", "nix"], "there is no rule 'nix'"),
    "confirm, empty": (["confirm", ""], "there is no rule ''"),
    "diff": (["diff", "nix"], "there is no turn 'nix'"),
    "undo": (["undo", "nix"], "there is no turn 'nix'"),
    "answer": (["answer", "nix", "--none"], "there is no open question 'nix'"),
    "erase": (["erase", "nix", "--yes"], "there is no rule 'nix'"),
}


@pytest.mark.parametrize(("argv", "message"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_id_is_named_and_changes_nothing(
    argv: list[str], message: str, told: Cli
) -> None:
    before = told("export").out

    ran = told(*argv)

    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert told("export").out == before


def test_a_turn_id_that_begins_others_means_itself(told: Cli) -> None:
    for number in range(12):
        told("observe", f"question {number}?", "--conversation", "many")

    assert told("diff", "many/1", "--json").json["turn"] == "many/1"


def test_a_diff_shows_the_state_before_and_after(told: Cli) -> None:
    found = told("diff", "c3", "--json").json

    assert [(each["value"], each["state"]) for each in found["before"]] == [("zh", "active")]
    after = [(each["value"], each["state"]) for each in found["after"]]
    assert after == [("zh", "superseded"), ("en", "active")]
    ran = told("diff", "c3")
    assert ran.out.index("Before") < ran.out.index("After")


def test_a_turn_that_changed_nothing_says_so(told: Cli) -> None:
    told("observe", "How are you?", "--conversation", "c7")

    assert "the same before and after" in told("diff", "c7/0").out

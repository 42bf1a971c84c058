"""`rules`: what is in force for a moment, all rules, and the block for a prompt."""

from pathlib import Path

import pytest

from .conftest import ZH, Cli, Labels, durable


def test_the_rules_in_force_are_listed_and_nothing_else(told: Cli) -> None:
    ran = told("rules")

    assert ran.code == 0
    assert "language/replies = en" in ran.out
    assert "length/replies = concise" in ran.out
    assert "zh" not in ran.out


def test_json_is_the_answer_with_its_context(told: Cli) -> None:
    found = told("rules", "--json", "--repository", "shop", "--as-of", "2026-03-09").json

    assert [rule["value"] for rule in found["winners"]] == ["concise", "en"]
    assert found["context"]["repository"] == "shop"
    assert found["as_of"].startswith("2026-03-09T23:59:59")


def test_what_loses_is_shown_with_what_it_lost_to_and_why(told: Cli, labels: Labels) -> None:
    labels.says("This one in French.", durable("language", "fr", intent="this_task"))
    told("observe", "This one in French.", "--conversation", "c9", "--task", "t1")

    ran = told("rules", "--conversation", "c9", "--task", "t1")

    assert "language/replies = fr" in ran.out
    assert "this task or conversation comes first" in ran.out


def test_every_state_is_shown_on_demand(told: Cli) -> None:
    ran = told("rules", "--all")

    assert "superseded" in ran.out
    assert "replaced by" in ran.out
    assert {rule["state"] for rule in told("rules", "--all", "--json").json["rules"]} == {
        "active",
        "superseded",
    }


def test_an_event_and_a_day_end_a_rule(cli: Cli, labels: Labels) -> None:
    labels.says("a", durable("tone", "formal", until="the launch"))
    labels.says("b", durable("length", "concise", until="2026-04-01"))
    cli("observe", "a")
    cli("observe", "b", "--said-at", "2026-03-01")

    def values(*argv: str) -> set[str]:
        found = cli("rules", "--json", *argv).json
        return {rule["value"] for rule in found["winners"]}

    assert values("--as-of", "2026-04-01") == {"formal", "concise"}
    assert values("--as-of", "2026-04-02") == {"formal"}
    assert values("--as-of", "2026-04-01", "--event", "the launch") == {"concise"}


@pytest.mark.parametrize("form", ["markdown", "xml", "json"])
def test_the_block_is_printed_alone(form: str, told: Cli) -> None:
    ran = told("rules", "--render", form)

    assert "rules_in_force" in ran.out
    assert "language: en" in ran.out
    assert ran.err == ""


def test_what_does_not_fit_the_budget_is_said(told: Cli) -> None:
    ran = told("rules", "--render", "markdown", "--budget", "56")

    assert ran.out.count("\n- ") == 1
    assert "the budget of 56 tokens leaves out 1 rule:" in ran.err


def test_without_rules_the_block_is_empty(cli: Cli) -> None:
    ran = cli("rules", "--render", "markdown")

    assert (ran.code, ran.out) == (0, "")


def test_reading_a_missing_database_makes_none_and_says_so(cli: Cli, home: Path) -> None:
    ran = cli("rules", "--db", "typo.db")

    assert ran.code == 0
    assert "there is no database 'typo.db'" in ran.err
    assert list(home.iterdir()) == []


def test_rules_of_one_subject_are_not_those_of_another(told: Cli) -> None:
    assert "No rule is in force" in told("rules", "--subject", "bo").out
    assert "No rule is in force" in told("rules", "--tenant", "other").out


def test_text_of_others_cannot_drive_the_terminal(cli: Cli, labels: Labels) -> None:
    evil = "\x1b[2J[bold]x[/bold]\u202e"
    labels.says(ZH, durable("tone", evil, statement=evil))
    cli("observe", ZH)

    for argv in (["rules"], ["rules", "--all"], ["rules", "--json"], ["history"], ["export"]):
        out = cli(*argv).out
        assert "\x1b" not in out
        assert "\u202e" not in out
    assert "[bold]x[/bold]" in cli("rules").out


def test_a_text_that_is_endless_is_shown_in_part_and_says_so(cli: Cli, labels: Labels) -> None:
    labels.says(ZH, durable("tone", "x" * 5000))
    cli("observe", ZH)

    assert "more characters)" in cli("rules").out
    assert "x" * 5000 in cli("rules", "--json").out


def test_colours_are_off_when_nobody_sees_them_and_where_they_are_not_wanted(
    told: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b" not in told("rules", "--all").out

    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in told("rules", "--all").out

    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in told("rules", "--all").out


WRONG = {
    "both forms": ["--all", "--render", "xml"],
    "a budget of nothing": ["--budget", "5"],
    "a tag without a value": ["--tag", "mood"],
    "no time": ["--as-of", "yesterday"],
    "an unknown key of the context": ["--repo", "shop"],
}


@pytest.mark.parametrize("argv", WRONG.values(), ids=WRONG)
def test_what_makes_no_sense_is_a_usage_error(argv: list[str], cli: Cli) -> None:
    ran = cli("rules", *argv)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 2

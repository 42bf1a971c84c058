"""`forget`, `confirm`, `answer`, `undo`, `end`, `happened`, `erase`: the user's word, by id."""

from pathlib import Path

import pytest

from henceforth.schemas.labels import Clarify

from .conftest import Cli, Labels, durable


def values(cli: Cli, *argv: str) -> set[str]:
    return {rule["value"] for rule in cli("rules", "--json", *argv).json["winners"]}


def id_of(cli: Cli, value: str) -> str:
    rules = cli("rules", "--all", "--json").json["rules"]
    return next(rule["id"] for rule in rules if rule["value"] == value)


def test_a_forgotten_rule_is_out_of_force_at_once(told: Cli) -> None:
    ran = told("forget", id_of(told, "concise"))

    assert ran.code == 0
    assert "forgotten" in ran.out
    assert values(told) == {"en"}


def test_undo_takes_back_the_turn_said_last(told: Cli) -> None:
    ran = told("undo", "--json")

    assert (ran.json["turn"], ran.json["status"]) == ("c3/0", "undone")
    assert values(told) == {"zh", "concise"}


def test_undo_takes_back_a_turn_by_its_id(told: Cli) -> None:
    told("undo", "c2")

    assert values(told) == {"en"}


def test_a_proposal_is_in_force_once_it_is_confirmed(cli: Cli, labels: Labels) -> None:
    labels.says("Again too long.", durable("length", "concise", intent="inferred"))
    cli("observe", "Again too long.", "--replied", "A long answer.")
    assert values(cli) == set()

    ran = cli("confirm", id_of(cli, "concise"))

    assert "confirm" in ran.out
    assert values(cli) == {"concise"}


def ask_which(cli: Cli, labels: Labels) -> str:
    """Two rules for one forget that names neither."""
    labels.says("a", durable("content", "mention tests first"))
    labels.says("b", durable("content", "mention docs first"))
    labels.says("c", durable("content", "mention first", intent="forget"))
    for text in "abc":
        cli("observe", text)
    asked: str = next(each for each in open_questions(cli) if each.startswith("which_rule"))
    return asked


def open_questions(cli: Cli) -> list[str]:
    return [each["id"] for each in cli("questions", "--json").json["questions"]]


def test_a_question_is_listed_with_its_candidates_and_how_to_answer(
    cli: Cli, labels: Labels
) -> None:
    question = ask_which(cli, labels)

    ran = cli("questions")

    assert f"henceforth answer {question} with --rule ID, or --none" in ran.out
    assert "mention tests first" in ran.out
    assert "mention docs first" in ran.out


def test_an_answer_settles_the_question(cli: Cli, labels: Labels) -> None:
    question = ask_which(cli, labels)

    ran = cli("answer", question[:14], "--rule", id_of(cli, "mention docs first"))

    assert ran.code == 0, ran.err
    assert values(cli) == {"mention tests first"}
    assert question not in open_questions(cli)


def test_an_answer_may_be_none_of_them(cli: Cli, labels: Labels) -> None:
    question = ask_which(cli, labels)

    cli("answer", question, "--none")

    assert values(cli) == {"mention tests first", "mention docs first"}
    assert question not in open_questions(cli)


def test_an_unclear_turn_is_settled_by_its_intent(cli: Cli, labels: Labels) -> None:
    label = durable("length", "concise", intent="this_task")
    labels.says("Shorter!", clarify=Clarify(question="Always?", label=label))
    cli("observe", "Shorter!")
    question = cli("questions", "--json").json["questions"][0]["id"]

    cli("answer", question, "--intent", "durable")

    assert values(cli) == {"concise"}


@pytest.mark.parametrize("argv", [[], ["--none", "--rule", "r1"], ["--relation", "same"]], ids=str)
def test_an_answer_says_one_thing(argv: list[str], cli: Cli, labels: Labels) -> None:
    question = ask_which(cli, labels)

    assert cli("answer", question, *argv).code == 2
    assert question in open_questions(cli)


def test_a_stranger_is_no_answer(cli: Cli, labels: Labels) -> None:
    question = ask_which(cli, labels)
    labels.says("d", durable("tone", "formal"))
    cli("observe", "d")

    ran = cli("answer", question, "--rule", id_of(cli, "formal"))

    assert ran.code == 2
    assert "cannot be answered with" in ran.err


def test_a_task_ends_and_its_rules_with_it(told: Cli, labels: Labels) -> None:
    labels.says("In French.", durable("language", "fr", intent="this_task"))
    told("observe", "In French.", "--conversation", "c9", "--task", "t1")
    inside = ("--conversation", "c9", "--task", "t1")
    assert values(told, *inside) == {"fr", "concise"}

    told("end", *inside)

    assert values(told, *inside) == {"en", "concise"}


def test_an_event_ends_the_rules_that_wait_for_it(cli: Cli, labels: Labels) -> None:
    labels.says("a", durable("tone", "formal", until="the launch"))
    cli("observe", "a")

    ran = cli("happened", "the launch")

    assert "expired" in ran.out
    assert values(cli) == set()


def test_an_erased_rule_is_in_no_line_of_the_export(told: Cli) -> None:
    ran = told("erase", id_of(told, "concise"), "--yes")

    assert ran.code == 0, ran.err
    assert "Keep it short" not in told("export").out
    assert told("fold").code == 0


def test_an_erased_subject_is_gone_and_others_are_not(told: Cli) -> None:
    told("observe", "hello", "--subject", "bo")

    ran = told("erase", "--yes", "--json")

    assert ran.json["ledger_rows"] == 3
    assert told("export").out == ""
    assert told("history", "--subject", "bo", "--json").json["history"] != []


def test_nothing_is_erased_unasked(told: Cli) -> None:
    before = told("export").out

    ran = told("erase")

    assert ran.code == 2
    assert "--yes" in ran.err
    assert told("export").out == before


@pytest.mark.parametrize(
    "argv",
    [["forget", "r1"], ["confirm", "r1"], ["undo"], ["answer", "q", "--none"], ["erase", "--yes"]],
    ids=" ".join,
)
def test_nothing_can_be_changed_in_a_database_that_is_not_there(
    argv: list[str], cli: Cli, home: Path
) -> None:
    ran = cli(*argv, "--db", "typo.db")

    assert (ran.code, ran.out) == (2, "")
    assert "there is no database 'typo.db'" in ran.err
    assert list(home.iterdir()) == []

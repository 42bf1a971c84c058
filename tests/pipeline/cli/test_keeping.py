"""`pending`, `export`, `fold`: what waits, what is kept, and that the ledger gives it."""

import json
from pathlib import Path

from henceforth.pipeline.stores.protocol import Write
from henceforth.pipeline.stores.sql import SqlStore
from henceforth.schemas.ids import subject_id
from henceforth.schemas.rule import State

from .conftest import KNOWN, SHORT, ZH, Cli, Labels


def test_a_turn_that_waits_is_listed_with_its_reason(cli: Cli, labels: Labels) -> None:
    labels.fails_on(ZH)
    cli("observe", ZH, "--id", "m1")

    ran = cli("pending")

    assert ran.code == 0
    assert "m1" in ran.out
    assert "nobody answers" in ran.out


def test_a_retry_labels_what_waits(cli: Cli, labels: Labels) -> None:
    labels.fails_on(ZH)
    cli("observe", ZH, "--id", "m1")
    labels.fails_on()
    labels.says(ZH, KNOWN[ZH])

    ran = cli("pending", "--retry")

    assert ran.code == 0
    assert "turn m1: labelled" in ran.out
    assert "No turn waits." in cli("pending").out


def test_a_retry_that_fails_keeps_the_turn_and_says_so(cli: Cli, labels: Labels) -> None:
    labels.fails_on(ZH)
    cli("observe", ZH, "--id", "m1")

    ran = cli("pending", "--retry", "--json")

    assert ran.code == 1
    assert ran.json["turns"][0]["status"] == "pending"
    assert cli("pending", "--json").json["pending"][0]["tries"] == 2


def test_without_a_subject_all_of_the_tenant_are_meant(
    cli: Cli, labels: Labels, monkeypatch: object
) -> None:
    labels.fails_on(ZH, SHORT)
    cli("observe", ZH, "--subject", "bo")
    cli("observe", SHORT, "--subject", "cy")
    cli("observe", SHORT, "--subject", "di", "--tenant", "other")
    Path("henceforth.toml").write_text("")

    def waiting(*argv: str) -> list[str]:
        return [each["subject"] for each in cli("pending", "--json", *argv).json["pending"]]

    assert waiting("--subject", "bo") == ["default/bo"]
    assert isinstance(monkeypatch, object)


def test_the_export_holds_ledger_and_rules_line_by_line(told: Cli, labels: Labels) -> None:
    labels.fails_on("later")
    told("observe", "later")

    records = [json.loads(line) for line in told("export").out.splitlines()]

    kinds = [each["record"] for each in records]
    assert kinds == ["ledger"] * 3 + ["rule"] * 3 + ["pending"]
    assert {(each["schema_version"], each["subject"]) for each in records} == {(2, "default/ana")}
    assert records[3]["kind"] == "preference"


def test_the_export_as_one_document_holds_the_same(told: Cli) -> None:
    found = told("export", "--json").json

    assert [len(found[each]) for each in ("ledger", "rule", "question", "pending")] == [3, 3, 0, 0]
    assert found["subject"] == "default/ana"


def test_the_ledger_gives_the_rules_that_are_kept(told: Cli) -> None:
    ran = told("fold")

    assert ran.code == 0
    assert "3 rules" in ran.out
    assert told("fold", "--json").json == {
        "schema_version": 2,
        "equal": True,
        "rules": 3,
        "differing": [],
    }


def test_a_rule_changed_behind_the_ledger_is_found(told: Cli) -> None:
    store = SqlStore("henceforth.db")
    subject = subject_id("ana")
    kept = store.read(subject)
    changed = kept.rules[0].model_copy(update={"state": State.ACTIVE, "value": "fr"})
    store.commit(subject, Write(rules=(changed,), head=kept.head), version=kept.version)
    store.close()

    ran = told("fold")

    assert ran.code == 1
    assert "language/replies = fr" in ran.out
    found = told("fold", "--json").json
    assert [(each["kept"]["value"], each["folded"]["value"]) for each in found["differing"]] == [
        ("fr", "zh")
    ]

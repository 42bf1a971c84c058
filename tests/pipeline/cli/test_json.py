"""What `--json` prints is what the JSON Schemas say, and stays it: programs rely on the keys."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from henceforth.schemas.export import json_schema

from .conftest import EN, KNOWN, Cli, Labels


def check(printed: Any, name: str) -> None:
    validator: Any = Draft202012Validator(json.loads(json_schema(name)))
    validator.validate(printed)


PRINTED = {
    "observe": (["observe", EN, "--id", "m1"], "outcome"),
    "observe, none": (["observe", "Hello!"], "outcome"),
    "label": (["label", EN], "labelled"),
    "rules": (["rules", "--repository", "shop"], "in-force"),
    "explain": (["explain", "r9"], "explanation"),
    "diff": (["diff", "c3/0"], "difference"),
    "forget": (["forget", "r9"], "outcome"),
    "undo": (["undo"], "outcome"),
    "end": (["end", "--conversation", "c1"], "outcome"),
    "happened": (["happened", "the launch"], "outcome"),
    "erase": (["erase", "--yes"], "erased"),
}


@pytest.mark.parametrize(("argv", "name"), PRINTED.values(), ids=PRINTED)
def test_a_document_is_what_its_schema_says(
    argv: list[str], name: str, told: Cli, labels: Labels
) -> None:
    labels.says(EN, KNOWN[EN])
    known = told("rules", "--json").json["winners"][0]["id"]

    ran = told(*[known if each == "r9" else each for each in argv], "--json")

    assert ran.code == 0, ran.err
    check(ran.json, name)


def test_the_parts_of_longer_documents_are_what_their_schemas_say(
    told: Cli, labels: Labels
) -> None:
    for each in told("rules", "--all", "--json").json["rules"]:
        check(each, "rule")
    for each in told("history", "--json").json["history"]:
        check(each, "happened")
    for each in told("export", "--json").json["ledger"]:
        check(each["entry"], "ledger-entry")
        check(each["plan"], "plan")


KEYS = {
    "questions": (["questions"], {"questions"}),
    "pending": (["pending"], {"pending"}),
    "pending --retry": (["pending", "--retry"], {"turns"}),
    "rules --all": (["rules", "--all"], {"rules"}),
    "rules --render": (["rules", "--render", "xml"], {"text", "tokens", "left_out"}),
    "export": (["export"], {"subject", "version", "ledger", "rule", "question", "pending"}),
    "fold": (["fold"], {"equal", "rules", "differing"}),
    "schema": (["schema"], {"shapes"}),
}


@pytest.mark.parametrize(("argv", "keys"), KEYS.values(), ids=KEYS)
def test_a_document_has_its_keys_and_its_version(
    argv: list[str], keys: set[str], told: Cli
) -> None:
    ran = told(*argv, "--json")

    assert set(ran.json) == keys | {"schema_version"}
    assert ran.err == ""

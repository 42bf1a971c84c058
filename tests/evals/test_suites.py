"""The suites that ship: whole, split once, and in step with their schemas."""

import json
from collections import Counter
from collections.abc import Callable, Mapping

import pytest

from henceforth.evals.behaviour.probes import probes_of
from henceforth.evals.data.cases import Case
from henceforth.evals.data.read import suites_folder
from henceforth.evals.data.suite import (
    SCHEMA_LINE,
    Half,
    half_of,
    load_cases,
    load_turns,
    probes_schema,
    split,
    suite_files,
    suite_schema,
)
from henceforth.evals.data.turns import TurnRow


def test_all_cases_ship_each_with_its_source(cases: Mapping[str, Case]) -> None:
    assert len(cases) == 142
    assert all(case.source for case in cases.values())


def test_each_suite_holds_one_kind_and_is_named_after_it() -> None:
    for name in suite_files():
        assert {case.kind for case in load_cases([name.removesuffix(".yaml")])} == {name[:-5]}


def test_each_suite_names_its_schema_on_line_one() -> None:
    for name in suite_files():
        first = suites_folder().joinpath(name).read_text("utf-8").partition("\n")[0]

        assert first == SCHEMA_LINE


@pytest.mark.parametrize(
    ("file", "schema"),
    [("suite.schema.json", suite_schema), ("probes.schema.json", probes_schema)],
)
def test_the_schema_that_is_checked_in_is_the_one_of_the_code(
    file: str, schema: Callable[[], str]
) -> None:
    written = suites_folder().joinpath("schema", file).read_text("utf-8")

    assert json.loads(written) == json.loads(schema())


def test_the_split_is_that_of_its_rule_and_covers_every_case(cases: Mapping[str, Case]) -> None:
    assert split() == {name: half_of(name) for name in cases}


def test_both_halves_hold_the_large_kinds_and_languages(cases: Mapping[str, Case]) -> None:
    kinds = Counter(case.kind for case in cases.values())
    languages = Counter(case.language for case in cases.values())

    for half in Half:
        mine = [case for case in cases.values() if split()[case.id] is half]
        assert {kind for kind, count in kinds.items() if count >= 4} <= {c.kind for c in mine}
        assert {tag for tag, count in languages.items() if count >= 4} <= {c.language for c in mine}


def test_gold_labels_stand_one_by_one_with_the_expected(cases: Mapping[str, Case]) -> None:
    for case in cases.values():
        assert case.labels is not None
        assert [each.turn for each in case.expected] == [each.turn for each in case.labels]


def test_the_labelled_turns_ship(dev: tuple[TurnRow, ...]) -> None:
    assert len(dev) == 302
    assert len(load_turns("train")) == 1462


def test_the_document_sequence_is_probed_before_and_after_each_step(
    cases: Mapping[str, Case],
) -> None:
    probed = Counter(probe.after_turn for probe in probes_of(cases["g001"]))

    assert set(probed) == {-1, 0, 1, 2, 3, 4}
    assert all(count >= 2 for turn, count in probed.items() if turn != -1)

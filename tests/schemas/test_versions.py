"""Records of older versions become today's; records of newer versions are refused."""

from typing import Any

import pytest

from henceforth.schemas.versions import (
    SCHEMA_VERSION,
    UPCASTS,
    NewerSchemaError,
    stamped,
    upcast,
)


def test_a_stamped_record_comes_back_without_its_stamp() -> None:
    record = {"id": "r1", "until": None}

    written = stamped(record)

    assert written == {"schema_version": SCHEMA_VERSION, "id": "r1", "until": None}
    assert upcast(written) == record


def test_each_older_version_has_its_upcast() -> None:
    assert sorted(UPCASTS) == list(range(1, SCHEMA_VERSION))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            {"expires": "2026-06-30"}, {"until": "2026-06-30"}, id="the last day was `expires`"
        ),
        pytest.param(
            {"condition": {"words": "in mails", "tags": ["task:email", "audience:client"]}},
            {"condition": {"words": "in mails", "tags": [["task:email", "audience:client"]]}},
            id="the tags of a condition were one flat list",
        ),
        pytest.param(
            {"changes": [{"rules": [{"id": "r1", "expires": None}]}]},
            {"changes": [{"rules": [{"id": "r1", "until": None}]}]},
            id="records within records",
        ),
        pytest.param(
            {"condition": {"words": "in mails", "tags": []}},
            {"condition": {"words": "in mails", "tags": []}},
            id="a condition without tags",
        ),
        pytest.param(
            {"context": {"tags": {"expires": "soon", "words": "few", "tags": "a"}}},
            {"context": {"tags": {"expires": "soon", "words": "few", "tags": "a"}}},
            id="what the host names is left alone",
        ),
    ],
)
def test_a_record_of_version_1_becomes_one_of_today(
    old: dict[str, Any], new: dict[str, Any]
) -> None:
    assert upcast({"schema_version": 1, **old}) == new
    assert upcast(old) == new, "a record from before there were versions is one of version 1"


def test_upcasting_leaves_the_stored_record_as_it_is() -> None:
    old = {"schema_version": 1, "rules": [{"expires": "2026-06-30"}]}

    upcast(old)

    assert old == {"schema_version": 1, "rules": [{"expires": "2026-06-30"}]}


def test_a_record_of_a_newer_version_is_refused() -> None:
    with pytest.raises(NewerSchemaError) as refused:
        upcast({"schema_version": SCHEMA_VERSION + 1, "id": "r1"})

    assert refused.value.found == SCHEMA_VERSION + 1

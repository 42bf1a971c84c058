"""The public door: what it offers, and what it costs to open."""

import subprocess
import sys

import pytest

import henceforth


@pytest.mark.parametrize("name", henceforth.__all__)
def test_each_public_name_can_be_had(name: str) -> None:
    assert getattr(henceforth, name) is not None


def test_all_is_sorted_and_complete() -> None:
    offered = {name for names in henceforth._HOMES.values() for name in names}  # pyright: ignore[reportPrivateUsage]

    assert henceforth.__all__ == sorted(henceforth.__all__)
    assert {*offered, "__version__"} == set(henceforth.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Sessoin'"):
        henceforth.Sessoin  # noqa: B018 # pyright: ignore[reportUnusedExpression, reportAttributeAccessIssue]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("import henceforth", id="importing the package"),
        pytest.param(
            "import henceforth; henceforth.SyncSession, henceforth.render, henceforth.SqlStore",
            id="using all that calls no model",
        ),
    ],
)
def test_no_model_client_is_imported_before_a_model_is_called(program: str) -> None:
    clients = ("litellm", "instructor", "openai")
    check = f"{program}; import sys; print([m for m in {clients} if m in sys.modules])"

    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"

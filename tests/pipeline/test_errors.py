"""The tree of errors: drawn as it is, one base, the caller's mistakes apart from failures."""

import inspect
import re

import pytest

from henceforth.pipeline import errors
from henceforth.pipeline.errors import FailureError, HenceforthError, UsageError

CLASSES = {
    name: each
    for name, each in inspect.getmembers(errors, inspect.isclass)
    if issubclass(each, Exception) and each.__module__ == errors.__name__
}


def drawn() -> dict[str, str]:
    """Each class in the drawing, with the one it hangs on."""
    above: list[tuple[int, str]] = [(-1, "Exception")]
    parents: dict[str, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"([\s│├└─]+)(\w+Error)(?:\s|$)", line)
        if found:
            depth = len(found[1])
            above = [each for each in above if each[0] < depth]
            parents[found[2]] = above[-1][1]
            above.append((depth, found[2]))
    return parents


def test_the_drawing_shows_each_class_where_it_is() -> None:
    assert drawn() == {name: each.__bases__[0].__name__ for name, each in CLASSES.items()}


@pytest.mark.parametrize("name", sorted(CLASSES.keys() - {"HenceforthError"}))
def test_each_error_is_the_callers_mistake_or_a_failure_and_not_both(name: str) -> None:
    each = CLASSES[name]

    assert issubclass(each, HenceforthError)
    assert issubclass(each, UsageError) != issubclass(each, FailureError)


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_each_error_says_what_it_is(name: str) -> None:
    assert CLASSES[name].__doc__

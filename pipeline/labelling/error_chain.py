"""Walk through an error and all that stands behind it. Pure."""

from collections.abc import Iterator


def chain(error: BaseException) -> Iterator[BaseException]:
    """The error, and all that caused it or was being handled when it came up."""
    seen: set[int] = set()
    rest: list[BaseException | None] = [error]
    while rest:
        each = rest.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        rest += [each.__context__, each.__cause__, *getattr(each, "exceptions", ())]

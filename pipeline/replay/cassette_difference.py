"""Name the part in which a request differs from the recorded one that is nearest. Pure."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Protocol

from .json_tree import Json, parsed

SHOWN = 60
"""Characters of each side that a difference shows."""


class Sent(Protocol):
    """What counts of a request."""

    method: str
    body: bytes | None

    @property
    def path(self) -> str:
        """The path of its address."""
        ...


def difference(wanted: Sent, recorded: Sequence[tuple[Sent, int]]) -> str:
    """In one line: how the request differs from the nearest of the recorded ones.

    Args:
        wanted: The request that has no recording.
        recorded: The requests of the file, each with how often it was played.
    """
    if not recorded:
        return "the file is missing or holds nothing"
    found = min((list(_parts(wanted, kept)) for kept, _ in recorded), key=len)
    if not found:
        times = sum(not any(_parts(wanted, kept)) for kept, _ in recorded)
        return f"it is recorded {times} times and asked for once more"
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return f"{found[0]}{more}"


def _parts(wanted: Sent, kept: Sent) -> Iterator[str]:
    if wanted.method != kept.method:
        yield f"method differs: {kept.method} recorded, {wanted.method} now"
    if wanted.path != kept.path:
        yield f"path differs: {kept.path!r} recorded, {wanted.path!r} now"
    yield from _values("body", _tree(wanted.body), _tree(kept.body))


def _tree(body: bytes | None) -> Json:
    try:
        return parsed(body)
    except ValueError:
        return (body or b"").decode("utf-8", "replace")


def _values(path: str, now: "Json | _Nothing", kept: "Json | _Nothing") -> Iterator[str]:
    if isinstance(now, dict) and isinstance(kept, dict):
        for key in [*kept, *(key for key in now if key not in kept)]:
            yield from _values(f"{path}.{key}", now.get(key, _NOTHING), kept.get(key, _NOTHING))
    elif isinstance(now, list) and isinstance(kept, list):
        for index in range(max(len(now), len(kept))):
            yield from _values(f"{path}[{index}]", _item(now, index), _item(kept, index))
    elif now != kept:
        yield f"{path} differs: {_shown(kept, now)} recorded, {_shown(now, kept)} now"


class _Nothing:
    def __repr__(self) -> str:
        return "nothing"


_NOTHING = _Nothing()


def _item(items: list[Json], index: int) -> "Json | _Nothing":
    return items[index] if index < len(items) else _NOTHING


def _shown(value: object, other: object) -> str:
    """The value, a long text from a little before the place where the two part."""
    if not isinstance(value, str):
        return repr(value)[:SHOWN]
    same = _same(value, other) if isinstance(other, str) else 0
    start = max(same - SHOWN // 3, 0)
    part = value[start : start + SHOWN]
    return ("…" if start else "") + repr(part) + ("…" if start + SHOWN < len(value) else "")


def _same(one: str, other: str) -> int:
    """How many characters two texts share from their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))

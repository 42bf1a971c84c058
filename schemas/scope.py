"""Where and when a rule holds: scope names, conditions as tags with their words. Shapes only."""

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Annotated, Literal, TypeAlias, cast

from pydantic import BeforeValidator, field_validator

from .base import Shape

Place: TypeAlias = Literal["project", "repository", "workspace"]


class Scope(Shape):
    """Names that must all match the context; no name at all is everywhere."""

    project: str | None = None
    repository: str | None = None
    workspace: str | None = None

    @property
    def names(self) -> dict[str, str]:
        """The names that are set, by kind."""
        return {kind: name for kind, name in self if name is not None}

    def __str__(self) -> str:
        """`repository shop, workspace web`, or `everywhere`."""
        return ", ".join(f"{kind} {name}" for kind, name in self.names.items()) or "everywhere"


EVERYWHERE = Scope()


def _tag(text: str) -> str:
    """Normalise `Kind:Some_Value` to `kind:some-value`; globs and said words keep their case."""
    kind, colon, value = unicodedata.normalize("NFKC", text).strip().partition(":")
    kind, value = kind.strip().casefold(), value.strip()
    if not colon or not kind or not value:
        raise ValueError(f"{text!r} is no tag: a tag is `kind:value`, such as `task:email`")
    if kind not in {"file", "says", "branch"}:
        value = "-".join(value.casefold().replace("_", " ").replace("-", " ").split())
    return f"{kind}:{value}"


Tag: TypeAlias = Annotated[str, BeforeValidator(_tag)]
"""`kind:value`, normalised: `task:technical-proposal`, `file:*.sql`, `audience:client`."""


def _alternatives(value: object) -> object:
    """Accept a flat list of tags as one alternative."""
    if not isinstance(value, list | tuple):
        return value
    items = cast("Sequence[object]", value)
    return (tuple(items),) if items and all(isinstance(item, str) for item in items) else items


class Condition(Shape):
    """When a rule holds: alternatives of tags, and the words they were said in.

    Words without tags are a condition that no code can check: it stays unknown and is
    delivered with its words.
    """

    words: str
    tags: Annotated[tuple[tuple[Tag, ...], ...], BeforeValidator(_alternatives)] = ()

    @field_validator("tags")
    @classmethod
    def _in_one_order(cls, tags: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
        return tuple(
            sorted({tuple(sorted(set(alternative))) for alternative in tags if alternative})
        )


PERMANENT = "permanent"
"""As an `until`: the user says that a temporary rule now holds for good."""


def _until(value: object) -> object:
    """Read an ISO day as a date and leave an event in its words."""
    if isinstance(value, str):
        try:
            return date.fromisoformat(value.strip())
        except ValueError:
            return value.strip() or None
    return value


Until: TypeAlias = Annotated[date | str, BeforeValidator(_until)]
"""The last day a rule holds, in the subject's zone; or an event in words."""

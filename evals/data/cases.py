"""The shape of a case: a transcript, what it must be labelled as, and what must be in force."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Self

from pydantic import AliasChoices, AwareDatetime, ConfigDict, Field, model_validator

from ...schemas.base import Shape
from ...schemas.context import Context
from ...schemas.labels import Label
from ...schemas.turn import Role


class CaseIntent(StrEnum):
    """The intents in the words of a case; `docs/evals.md` maps them to those of a label."""

    DURABLE = "durable"
    REPLACE = "replace"
    CONDITIONAL = "conditional"
    ONE_TASK = "one_task"
    FORGET = "forget"
    INFERRED = "inferred"

    @classmethod
    def _missing_(cls, value: object) -> "CaseIntent | None":
        """Read the two intents of a label that a case calls by another name."""
        return {"this_task": cls.ONE_TASK, "retire": cls.FORGET}.get(str(value))


class CaseScope(StrEnum):
    """The scopes in the words of a case."""

    EVERYWHERE = "everywhere"
    PROJECT = "project"
    REPO = "repo"
    WORKSPACE = "workspace"
    TASK_TYPE = "task_type"
    TASK = "task"


class CaseContext(Shape):
    """Where something is said or asked, with the speaker; a null field is an unset one."""

    user: str | None = None
    conversation: str | None = None
    task: str | None = None
    task_type: str | None = None
    project: str | None = None
    repository: str | None = Field(
        default=None, validation_alias=AliasChoices("repo", "repository")
    )
    workspace: str | None = None
    cwd: str | None = None
    file: str | None = None
    branch: str | None = None
    audience: str | None = None
    tags: Mapping[str, str] = Field(default_factory=dict)

    @property
    def context(self) -> Context:
        """The same place in the words of the library, without the speaker."""
        return Context(**self.model_dump(exclude={"user"}))


class CaseTurn(Shape):
    """One message of the transcript."""

    role: Role
    text: str
    user: str | None = None
    context: CaseContext | None = None
    said_at: AwareDatetime | None = None


class Accept(Shape):
    """Further values of a field that count as right."""

    intent: tuple[CaseIntent, ...] = ()
    dimension: tuple[str, ...] = ()
    scope: tuple[CaseScope, ...] = ()
    value: tuple[str, ...] = ()
    condition: tuple[str | None, ...] = ()
    expires: tuple[str | None, ...] = ()


class Expected(Shape):
    """One label that the turn must get, in the words of a case."""

    turn: int = Field(ge=0)
    intent: CaseIntent
    dimension: str
    value: str
    scope: CaseScope = CaseScope.EVERYWHERE
    scope_ref: str | None = None
    condition: str | None = None
    expires: str | None = None
    user: str | None = None
    accept: Accept = Accept()


class GoldLabel(Label):
    """The same label in the words of the library; `text` names the rule it makes."""

    turn: int = Field(ge=0)
    text: str
    user: str | None = None

    @property
    def label(self) -> Label:
        """The label as a labeller would give it; `text` is its statement."""
        fields = self.model_dump(exclude={"turn", "text", "user"})
        return Label.model_validate({**fields, "statement": self.statement or self.text})


class Check(Shape):
    """The question "what is in force" once more: elsewhere, for another user, on another day."""

    after_turn: int | None = Field(default=None, ge=0)
    at: date | None = None
    context: CaseContext | None = None
    event: str | None = None
    in_force: tuple[str, ...] = ()
    not_in_force: tuple[str, ...] = ()
    overridden: tuple[str, ...] = ()


class Record(Shape):
    """What the stored text must be like, whatever the rule is called."""

    must_contain: tuple[str, ...] = ()
    must_not_contain: tuple[str, ...] = ()
    language: str | None = None


class FaultSpec(Shape):
    """Something to inject. A kind that is not known here is reported as not injected."""

    model_config = ConfigDict(extra="allow")

    kind: str = Field(validation_alias=AliasChoices("kind", "type"))
    detail: str = ""
    order: tuple[int, ...] = ()
    times: int = Field(default=2, ge=2)
    same_id: tuple[int, ...] = ()


class Case(Shape):
    """One case; the fields are described in `docs/evals.md`."""

    id: str = Field(min_length=1)
    kind: str
    language: str = "und"
    source: str = ""
    url: str | None = None
    paraphrase: str | None = None
    note: str | None = None
    now: date | None = None
    context: CaseContext | None = None
    turns: tuple[CaseTurn, ...] = Field(min_length=1)
    expected: tuple[Expected, ...] = ()
    labels: tuple[GoldLabel, ...] | None = None
    tolerated: tuple[Expected, ...] = ()
    in_force_after: tuple[str, ...] = ()
    not_in_force_after: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    record: Record | None = None
    fault: FaultSpec | None = None

    @model_validator(mode="after")
    def _turns_exist(self) -> Self:
        named = [each.turn for each in (*self.expected, *self.tolerated)]
        named += [each.turn for each in self.labels or ()]
        for at in named:
            if at not in self.user_turns:
                raise ValueError(f"a label names turn {at}, which is no user turn")
        return self

    @property
    def user_turns(self) -> tuple[int, ...]:
        """The places of the user turns."""
        return tuple(at for at, turn in enumerate(self.turns) if turn.role is Role.USER)


class Suite(Shape):
    """One file of cases of one kind."""

    kind: str
    cases: tuple[Case, ...] = Field(min_length=1)

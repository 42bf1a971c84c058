"""Typed names of things: a turn id is not a rule id."""

from typing import NewType

SubjectId = NewType("SubjectId", str)
"""`tenant/speaker`, given by the host and never read from text."""

TurnId = NewType("TurnId", str)
"""Given by the host, or `conversation/index`."""

RuleId = NewType("RuleId", str)
"""Derived from the turn and the label that brought the rule: the same fold gives the same ids."""

QuestionId = NewType("QuestionId", str)
"""Derived from the turn and the label that raised the question."""

DEFAULT_TENANT = "default"


def subject_id(speaker: str, *, tenant: str = DEFAULT_TENANT) -> SubjectId:
    """Name the subject whose rules are kept: one speaker of one tenant.

    Raises:
        ValueError: If either part is empty or the tenant holds a slash.
    """
    if not speaker or not tenant or "/" in tenant:
        raise ValueError(
            f"tenant {tenant!r} and speaker {speaker!r} do not name a subject: both must be "
            "non-empty, and a tenant holds no slash"
        )
    return SubjectId(f"{tenant}/{speaker}")

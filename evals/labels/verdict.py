"""The three answers a deterministic judge may give; undecided is never counted as right."""

from enum import StrEnum


class Verdict(StrEnum):
    """Whether two texts mean the same."""

    SAME = "same"
    DIFFERENT = "different"
    UNDECIDED = "undecided"

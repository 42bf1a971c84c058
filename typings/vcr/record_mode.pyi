"""What henceforth uses of `vcr.record_mode`."""

from enum import StrEnum

class RecordMode(StrEnum):
    """Whether requests are recorded."""

    ALL = "all"
    NONE = "none"

"""What henceforth uses of `vcr.record_mode`."""

from enum import Enum

class RecordMode(str, Enum):
    """Whether requests are recorded."""

    ALL = "all"
    NONE = "none"

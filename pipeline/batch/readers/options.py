"""What a caller can say about transcripts that do not say it themselves."""

from collections.abc import Mapping
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from pydantic import AwareDatetime, ConfigDict

from ....schemas.base import Shape

UNDATED = datetime(2000, 1, 1, tzinfo=UTC)
"""When something was said of which nobody knows when."""


class ReadOptions(Shape):
    """How transcripts are read.

    Attributes:
        format: The format of all files; without it each is told by its content.
        speaker: Whose transcripts these are. Without it the record's own user counts; an export
            of one person's account is `me`, and a conversation that names nobody is a person of
            its own, so that rules of two people are never mixed.
        columns: For tables: by field (`text`, `said_at`, `speaker`, …) the name of the column.
        preceding: How many messages before a turn are kept with it.
        zone: The zone of the local day.
        undated: When records without a time were said; those of one file follow each other.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    format: str | None = None
    speaker: str | None = None
    columns: Mapping[str, str] = {}
    preceding: int = 4
    zone: ZoneInfo = ZoneInfo("UTC")
    undated: AwareDatetime = UNDATED

"""How the service runs; what it keeps and which model it asks is in the settings."""

from pydantic import Field

from ...schemas.base import Shape


class Options(Shape):
    """Limits of one process of the service.

    Attributes:
        deadline: Seconds that labelling may hold up a reply; what takes longer is pending.
        body: The largest request, in bytes.
        batch: The most turns in one request.
        rate: Requests of one key, as `count/period`: `600/minute`. Each process counts its own.
        grace: Seconds that what is under way may take when the service stops.
    """

    deadline: float = Field(default=15.0, gt=0)
    body: int = Field(default=1_048_576, ge=1024)
    batch: int = Field(default=100, ge=1)
    rate: str = "600/minute"
    grace: float = Field(default=30.0, ge=0)

"""The one base class of all shapes: frozen, closed to unknown fields."""

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """A value without identity: compared by content, changed by `model_copy(update=…)`."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

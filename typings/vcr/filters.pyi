"""What henceforth uses of `vcr.filters`."""

from typing import Any

def decode_response(response: dict[str, Any]) -> dict[str, Any]: ...

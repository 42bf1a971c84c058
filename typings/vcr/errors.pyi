"""What henceforth uses of `vcr.errors`."""

from .cassette import Cassette
from .request import Request

class CannotOverwriteExistingCassetteException(Exception):
    """A request that is not in the cassette."""

    cassette: Cassette
    failed_request: Request

"""Transcripts in the formats that people have: files in, user turns out, one at a time."""

from .files import Source, found
from .options import ReadOptions
from .read import read
from .records import Meter
from .said import Machine, Place, Reject, Said

__all__ = ["Machine", "Meter", "Place", "ReadOptions", "Reject", "Said", "Source", "found", "read"]

"""Transcripts in the formats that people have: files in, user turns out, one at a time."""

from .files import found
from .options import ReadOptions
from .read import read
from .said import Machine, Place, Reject, Said

__all__ = ["Machine", "Place", "ReadOptions", "Reject", "Said", "found", "read"]

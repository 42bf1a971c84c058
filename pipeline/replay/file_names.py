"""Turn any id into a file name: readable, safe on every system, and never that of another id."""

import re
import unicodedata
from hashlib import sha256

_LONGEST = 80


def file_name(text: str) -> str:
    """The text as a file name without its ending; a changed one carries a digest of the text.

    Letters of every script stay. Case folds, as some file systems do not tell `A` from `a`.
    """
    plain = unicodedata.normalize("NFC", text).casefold()
    safe = re.sub(r"[^\w.-]+", "-", plain).strip("-.")[:_LONGEST]
    if safe == text and not _reserved(safe):
        return safe
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{safe}-{digest}".lstrip("-")


def _reserved(name: str) -> bool:
    """Names that Windows keeps for devices, with any ending."""
    return bool(re.fullmatch(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?|", name))

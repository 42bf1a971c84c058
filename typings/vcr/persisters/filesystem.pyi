"""What henceforth uses of `vcr.persisters.filesystem`."""

class CassetteNotFoundError(FileNotFoundError):
    """There is no such file."""

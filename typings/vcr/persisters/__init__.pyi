"""What henceforth uses of `vcr.persisters`."""

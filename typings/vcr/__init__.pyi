"""What henceforth uses of vcrpy, which ships no types."""

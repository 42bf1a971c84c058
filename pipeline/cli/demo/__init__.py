"""The recorded conversation that `henceforth demo` replays, and what must come of it."""

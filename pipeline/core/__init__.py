"""The pure core: labels and rules in, rules out. No clock, no I/O, no model."""

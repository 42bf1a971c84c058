"""Shapes only: what flows through henceforth. No I/O, no model, no prompts, no clock."""

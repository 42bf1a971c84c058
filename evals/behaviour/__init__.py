"""Level 3: what a fresh session does with the rules."""

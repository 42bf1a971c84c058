"""Level 2: the rules in force after a transcript."""

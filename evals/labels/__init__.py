"""Level 1: labels against gold labels."""

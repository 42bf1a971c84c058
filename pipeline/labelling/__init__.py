"""From a turn to its labels: ask a model, check the answer in code. No store."""

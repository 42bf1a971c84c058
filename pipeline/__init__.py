"""The stages: label, reconcile, store, rules in force; and the ways in."""

"""Keep a person's standing instructions right: label each turn, reconcile, get the rules in force."""

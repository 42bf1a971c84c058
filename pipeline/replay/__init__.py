"""Record what a model answers, and replay it with the network blocked."""

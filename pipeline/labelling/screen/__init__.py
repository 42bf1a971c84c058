"""Whether a turn holds an instruction at all: a small trained judge beside the model. No store."""

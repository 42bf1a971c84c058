"""The HTTP service: what a backend of any language calls."""

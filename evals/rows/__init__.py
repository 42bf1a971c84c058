"""Rows of other people: read, and scored in the order of their format."""

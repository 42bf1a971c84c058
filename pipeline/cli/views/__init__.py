"""Shapes as tables and text for people. No store, no model."""

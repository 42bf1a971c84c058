"""Suites, scores and reports."""

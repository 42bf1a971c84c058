"""Prompts: one Markdown file a version."""

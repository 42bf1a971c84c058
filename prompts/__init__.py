"""Prompts: one Markdown file a version, its examples in it; a published version is never edited."""

from .loading import Example, Prompt, load_prompt, prompt_versions

__all__ = ["Example", "Prompt", "load_prompt", "prompt_versions"]

"""Reads transcripts: turns of henceforth or OpenAI messages, told apart by content. No store."""

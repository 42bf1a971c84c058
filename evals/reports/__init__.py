"""What a run came to: in a terminal, as JSON, as a page, against a baseline."""

"""Cases, turns and suites: read, and told as a timeline of turns."""

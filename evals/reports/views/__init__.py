"""Reports for people: tables in a terminal, a page in a browser."""

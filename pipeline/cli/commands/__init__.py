"""One module a command; each holds it as `command` and is imported when it runs."""

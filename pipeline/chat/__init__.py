"""In front of a chat: read the user turns of a message list, put the rules in force into it."""

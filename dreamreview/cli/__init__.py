"""ASK: one module a command; output.py is the only one that prints."""

"""Widgets: each shows what it is given and reports what was done to it."""

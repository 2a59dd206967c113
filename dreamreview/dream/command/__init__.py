"""The engine that lets any program dream: run in a private copy, what it changed there is what it suggests."""

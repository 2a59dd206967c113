"""Commands: everything a person can ask for, each with its key, its name in the palette and its line of help."""

"""SEE: the terminal app, the only importer of textual."""

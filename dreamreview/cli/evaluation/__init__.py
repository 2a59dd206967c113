"""How well an engine did: a proposal held against an answer key, class by class."""

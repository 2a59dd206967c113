"""WHAT: pure values and functions; no input or output, no clock, no randomness."""

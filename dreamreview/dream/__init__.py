"""THINK: the dream cycle, its engines and their detectors."""

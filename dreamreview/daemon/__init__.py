"""WHEN: watching folders for what arrives."""

"""The memory screen, by what its commands are about."""

"""WHERE: every byte that is read or written under a memory folder."""

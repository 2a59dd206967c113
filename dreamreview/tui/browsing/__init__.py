"""What the memory screen shows, as values: which files and notes in which order, and what is said of each."""

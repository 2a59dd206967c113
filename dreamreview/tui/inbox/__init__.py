"""What the inbox knows and shows of the stores in it."""

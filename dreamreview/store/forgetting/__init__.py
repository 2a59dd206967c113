"""Real deletion on request: what is to be forgotten is taken out of everything that is kept of a store."""

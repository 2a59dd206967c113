"""What a text is without what is to be forgotten: one pure function for each document that is kept of a memory."""

"""What stands in the right pane: a card turned into rows, without any widget."""

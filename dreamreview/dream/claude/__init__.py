"""The engine that asks Claude: a conversation over a working copy, in which every edit belongs to a declared change."""

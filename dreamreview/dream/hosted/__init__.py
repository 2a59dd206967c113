"""The hosted engine: a memory store at Anthropic's service is dreamed there, and the result comes back for review."""

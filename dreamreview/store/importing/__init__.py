"""How what others suggest becomes a proposal: copies, unified diffs, revisions of git, staged memories, exports."""

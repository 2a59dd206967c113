"""The review screen, in layers: its state, then moving, looking and deciding, then the screen that is pushed."""

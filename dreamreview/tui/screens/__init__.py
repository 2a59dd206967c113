"""Screens: each holds the state of one place in the app."""

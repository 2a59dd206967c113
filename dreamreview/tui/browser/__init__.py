"""The app in a browser of the same machine: a page, a guarded server, and one run of the app for each open page."""

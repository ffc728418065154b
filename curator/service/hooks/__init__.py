"""The commands that the user wants run after a commit: push and notify."""

"""How a change is committed: one commit and the user's files, or nothing, also after a crash."""

"""How a change is committed (DESIGN, section 5): one commit and the user's files, or nothing, also after a crash."""

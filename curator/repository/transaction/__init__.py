"""How a change lands (DESIGN, section 5): one commit and the user's files, or nothing; and what mends it after a crash."""

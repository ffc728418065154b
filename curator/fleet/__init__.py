"""Many wikis on many machines, by a PostgreSQL database: what came in, who is at it, what was paid, what became of it.

The database says what is to be done and keeps what was paid for; a wiki is what its own git server has. A source is in
when a push of its commit succeeded, which a git server lets one of several writers do.
"""

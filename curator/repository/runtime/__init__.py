"""The folder beside the repository that is never committed: locks, journal, spool, saved replies."""

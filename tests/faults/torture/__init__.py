"""Fault injection: transactions killed, refused and cut off from power at every call that changes a file."""

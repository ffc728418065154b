"""Passages: what pages and sources say, piece by piece, and which of it answers a question."""

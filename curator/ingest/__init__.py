"""A source becomes one commit (AIP-10, ingest contract)."""

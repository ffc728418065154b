"""A wiki as a pack for strangers: made from a commit, and kept in a folder."""

"""What a person or a host does to a wiki by command: rename, remove, undo, and batches of entries."""

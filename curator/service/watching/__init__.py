"""How new files are noticed: events are hints, the scan is the truth."""

"""The least of the packs that serves a request: chosen, fenced as data, recorded."""

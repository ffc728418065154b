"""Which packs there are, what their heads say, which may be loaded, and which a request is about: no body is read."""

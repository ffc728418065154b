"""Which terms of a source deserve a page."""

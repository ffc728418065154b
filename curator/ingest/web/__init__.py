"""Pages of the web as sources: fetched by their addresses, found by reading lists and feeds."""

"""Whether a source states the names that a page gives: its title, its aliases, its headings."""

"""Languages other than English: which one a source is written in, and how it says what a thing is."""

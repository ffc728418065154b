"""Claims on their way into a page: their quotes found, what they say proven, written out with footnotes."""

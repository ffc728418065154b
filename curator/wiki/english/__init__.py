"""English as the rules read it: a text as words with their stems, its numbers and dates, the words that mean more."""

"""Sources as values: their text, their records, and the evidence found in them."""

"""Whether quotes, read where they stand in their source, bear a claim out: precise rules, and no language model."""

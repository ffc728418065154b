"""Questions to a wiki (AIP-10, query contract): pages are found, an answer is proven by them, and may be filed as one."""

"""The maintenance pass (AIP-10, Lint contract): what is wrong with a wiki as it stands, whoever wrote it.

The rules are generators over values. Those of one page (``local``) depend on its text alone, and what they find is kept by
blob id (``facts.cache``); those of the whole ask the catalogue. KNOWLEDGE.md says how much each matters (``facts.policy``).
"""

"""The maintenance pass (AIP-10, Lint contract): what is wrong with a wiki as it stands, whoever wrote it.

The rules are generators over values. What those of one page find depends on its text alone, and is kept by blob id
(``facts.cache``); those of the whole wiki ask the catalogue and these facts. KNOWLEDGE.md says how much each matters
(``facts.policy``).
"""

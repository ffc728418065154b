"""The pure model of a wiki: pages, sources, KNOWLEDGE.md; no file is opened and no program run here."""

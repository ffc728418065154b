"""Knowledge packs for agents: found, gated, and the least that serves a request, fenced as data."""

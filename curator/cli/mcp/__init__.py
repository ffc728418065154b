"""The MCP server of one wiki: what an agent may ask of it, by stdio or over loopback; all answers are data in fences."""

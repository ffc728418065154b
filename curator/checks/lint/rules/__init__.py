"""The lint rules, a module a subject: each yields findings about the wiki as a whole."""

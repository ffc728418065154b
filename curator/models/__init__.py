"""Everything that answers a prompt: the port, the language models, and the built-in extractive curator."""

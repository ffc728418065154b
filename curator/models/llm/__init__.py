"""Language models: the prompt, the provider behind the sandbox, the budget, and what was spent."""

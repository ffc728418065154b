"""What is known of a model before litellm is loaded: whether its endpoint answers, what it has, and what is in the way."""

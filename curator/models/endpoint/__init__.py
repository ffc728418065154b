"""What can be known of a model before litellm is loaded: whether its endpoint answers, and which models it has."""

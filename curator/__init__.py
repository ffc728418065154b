"""curator keeps a wiki with a language model, and proves every claim it writes."""

__version__ = "0.1.0"

"""Small helpers over the operating system, which know nothing of a wiki."""

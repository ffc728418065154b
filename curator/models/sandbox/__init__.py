"""The way into the sandbox: the program beside curator that reads sources and asks models."""

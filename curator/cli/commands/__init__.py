"""One module a verb: its click command and its body together."""

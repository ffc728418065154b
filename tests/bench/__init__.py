"""The benchmarks: how long each operation takes, and how much memory."""

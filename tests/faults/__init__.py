"""Whatever a machine, a user and a crash may do in the middle of it."""

"""What ``curate doctor`` looks at: the machine, the repository, what is left over, the wiki itself, and what mends it."""

"""Everything that judges a wiki: the wall before a commit, lint and conformance after it, and the doctor."""

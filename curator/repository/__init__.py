"""The wiki's files and its git repository: a transaction begins at a commit and ends in one new commit or in no change."""

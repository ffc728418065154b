"""The wiki's files and its git repository: a transaction begins at a commit and ends in one new commit or in no change.

settings.py             what a command runs with; from it comes a Repository
repository.py           begin, view, commit: all that other rooms ask for
snapshot.py  begun.py   a commit as it is read; the same as what the next one is made upon
change_set.py           a change, and the files that follow from it
transaction/            how its commit is made, step by step, and recovered after a crash
git/                    git, as plain methods
catalogue/              what is known of each page of a commit, in SQLite; source_index.py and vectors.py: of sources
runtime/                the folder beside the repository: locks, journal, spool, saved replies, what waits
proposals.py  history.py  views.py   commits that wait for a person; what landed; the manifest that holds for a view
source_files.py  note_folder.py  signatures.py   the files that can be sources, and who vouches for them
pinned.py  uncommitted.py            the wiki elsewhere than at HEAD
"""

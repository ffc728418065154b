"""The few git commands curator needs, each a plain method, run by GitPython as literal argument lists.

commands.py             how git is run, and the objects of one batch process
trees.py                objects and trees
tree_edits.py           the tree of a commit, edited
files.py                index files, and the work tree through git's filters
commits.py  branches.py commits; where branches stand, and moving one
packing.py              what is loose, put together
opening.py              whether there is a repository at all
values.py  faults.py    what git tells; what it says when it does not work
"""

from __future__ import annotations

from curator.repository.git.branches import Branches
from curator.repository.git.files import NO_SUBMODULES, WorkTreeFiles
from curator.repository.git.opening import initialise, is_inside_repository
from curator.repository.git.packing import Packing
from curator.repository.git.tree_edits import TreeEdits
from curator.repository.git.trees import put_into
from curator.repository.git.values import BlameLine, Blob, Changed, IndexEntry, folders_above, records

__all__ = [
    "NO_SUBMODULES",
    "BlameLine",
    "Blob",
    "Changed",
    "Git",
    "IndexEntry",
    "folders_above",
    "initialise",
    "is_inside_repository",
    "put_into",
    "records",
]


class Git(WorkTreeFiles, TreeEdits, Branches, Packing):
    """One repository, seen from ``folder`` inside its work tree. Close it: a batch process may be running."""

"""What stands in for the runtime folder of a wiki that cannot be written to: a copy, for one command that only looks.

Caches are used and brought up to date there, and are gone with it, as is all else that would have been kept. What somebody
may be at work with (locks, the journal, the spool) is not copied.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

_NOT_COPIED = shutil.ignore_patterns(
    *(
        "lock",
        "landing",
        "packing",
        "turns",
        "journal.json",
        "token",
        "index",
        "index.*",
        "spool",
        "displaced",
        "rescue",
    ),
    *("blobs-*", "smudged-*", "staged-*", "tmp*", "*.sock"),
)


def is_writable(folder: Path) -> bool:
    """True for a folder that can be written to, or made: also root cannot where all of a disk is read-only."""
    there = next((each for each in (folder, *folder.parents) if each.exists()), folder)
    return os.access(there, os.W_OK | os.X_OK)


def stand_in(folder: Path) -> tempfile.TemporaryDirectory[str]:
    """A copy of the runtime folder, as far as it can be read; to be cleaned up by who asks for it."""
    copy = tempfile.TemporaryDirectory(prefix="curator-", ignore_cleanup_errors=True)
    with suppress(OSError):  # what cannot be read is not there
        shutil.copytree(folder, copy.name, ignore=_NOT_COPIED, dirs_exist_ok=True)
    os.chmod(copy.name, 0o700)  # noqa: PTH101 (as the folder it stands in for; copying takes that one's rights)
    return copy

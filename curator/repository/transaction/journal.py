"""The journal: what a transaction is about to do, written down durably before anything can be seen of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from curator.errors import JournalUnreadable


@dataclass(frozen=True)
class Written:
    """A file of the commit: its path from the top of the repository, and its blobs before and after."""

    path: str
    old: str | None
    """None for a new file."""
    new: str | None
    """None for a file that goes."""
    ours: bool = True
    """False for a source, the user's own file, which is written where it is missing only."""
    edited: str | None = None
    """The blob of the file as the user has it, uncommitted, when his edits are to stay on top of the new text."""
    mixed: str | None = None
    """And the blob of the new text with his edits."""


def _is_inside(path: str) -> bool:
    """False for a path that leads out of the repository, or into its git directory."""
    parts = path.split("/")
    return all(part not in ("", ".", "..") and part.lower() != ".git" for part in parts)


@dataclass(frozen=True)
class Journal:
    """A transaction that is under way: what it writes, and how to tell whether it has happened."""

    ref: str
    old: str
    new: str
    token: str
    """What is in the file that git's index.lock is a hard link to, so that the lock is provably ours."""
    files: tuple[Written, ...]

    def oids(self) -> list[str]:
        """The ids of all blobs that are needed to finish it."""
        return [oid for file in self.files for oid in (file.new, file.edited, file.mixed) if oid is not None]

    def dumps(self) -> str:
        body = json.dumps(asdict(self), sort_keys=True)
        return json.dumps({"sha256": hashlib.sha256(body.encode()).hexdigest(), "body": body}) + "\n"

    @classmethod
    def parse(cls, text: str) -> Journal:
        """Read it back. Raises JournalUnreadable: a journal that is not whole is never acted upon (rule R5)."""
        try:
            value = json.loads(text)
            body = value["body"]
            if hashlib.sha256(body.encode()).hexdigest() != value["sha256"]:
                raise ValueError("its checksum is wrong")
            fields = json.loads(body)
            files = tuple(Written(**written) for written in fields.pop("files"))
            if not all(map(_is_inside, (fields["ref"], *(written.path for written in files)))):
                raise ValueError("it names a place that is not the wiki's")
            return cls(**fields, files=files)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise JournalUnreadable(
                "journal_unreadable",
                f"the transaction journal cannot be read: {error}",
                "nothing was changed; compare 'git log -1' with 'git status', then remove journal.json and index.lock",
            ) from error

"""The names a manifest calls others by: its parent, its consumers, its policy (AIP-10, Cross-AIP refs)."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

FILE = "KNOWLEDGE.md"
KINDS = ("operators", "companies", "skills")
LONGEST = 512

_CONSUMER = re.compile(r"ws://(operators|companies|skills)/([a-z0-9][a-z0-9-]*)\Z")
_FOLDER = re.compile(r"\.\.?/\S+\Z")
_DIMENSION = re.compile(r"([a-z][a-z0-9-]*)/([a-z0-9][A-Za-z0-9._-]*)\Z")


@dataclass(frozen=True)
class Consumer:
    """``ws://operators/research``: an operator (AIP-9), a company (AIP-6) or a skill (AIP-3)."""

    kind: str
    slug: str


@dataclass(frozen=True)
class Folder:
    """A consumer named by its folder, as an absolute path."""

    path: str


@dataclass(frozen=True)
class Dimension:
    """``region/fr``: the view is for wherever the host says so."""

    name: str
    value: str


Ref = Consumer | Folder | Dimension


def consumer(written: str, at: str) -> Ref | None:
    """What an entry of ``appliesTo`` in the manifest ``at`` names; None when it is malformed."""
    if found := _CONSUMER.match(written):
        return Consumer(found[1], found[2])
    if _FOLDER.match(written) and len(written) <= LONGEST and not _odd(written):
        return Folder(beside(at, written))
    found = _DIMENSION.match(written)
    return Dimension(found[1], found[2]) if found else None


def is_extends(written: object) -> bool:
    """True for a relative path to a KNOWLEDGE.md."""
    if not isinstance(written, str) or not 0 < len(written) <= LONGEST or _odd(written):
        return False
    return "://" not in written and not written.startswith(("/", "~")) and posixpath.basename(written) == FILE


def beside(at: str, written: str) -> str:
    """The absolute path that ``written`` means in the manifest ``at``."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(at), written))


def policy(at: str, written: str) -> str:
    """The governance that ``written`` binds: an absolute path, or a ref of another kind as it stands.

    Two manifests that name one file by two paths bind the same policy.
    """
    return written if "://" in written else beside(at, written)


def _odd(written: str) -> bool:
    return "\\" in written or any(ord(character) < 32 or ord(character) == 127 for character in written)

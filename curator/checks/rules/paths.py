"""Rules on where pages may stand (research P1 to P6).

git guards the same on its side (``core.protectHFS``, ``core.protectNTFS``); these rules do not rely on it. Pages that are
already in the wiki may have any name its user gave them; only new ones are held to the form curator gives.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from curator.checks.rules.change import Change
from curator.finding import Finding
from curator.system.filenames import RESERVED
from curator.wiki.pages.names import name_key
from curator.wiki.pages.names import plain as plain
from curator.wiki.pages.slug import is_slug

MAX_PATH_BYTES = 200
MAX_FOLDERS = 4

_ROOT_FILES = {
    "knowledge.md", "agents.md", "claude.md", "gemini.md", "readme.md", "changelog.md", "contributing.md",
    "license", "license.md", "_index.md", "_log.md", "_manifest.json",
}  # fmt: skip
_GENERATED = {"_index.md", "_log.md", "_manifest.json"}
_UNSAFE = re.compile(r'[<>:"|?*]|~\d|[. ]\Z')


def malformed(change: Change) -> Iterator[Finding]:
    """path_malformed (P1): a path is relative, parted by ``/``, NFC, without control characters and ``..``."""
    for path in change.pages:
        parts = path.split("/")
        broken = "\\" in path or any(part in ("", ".", "..") for part in parts) or not path.isprintable()
        if broken or unicodedata.normalize("NFC", path) != path:
            yield Finding("path_malformed", path, f"{path!r} is no plain relative path")


def outside(change: Change) -> Iterator[Finding]:
    """path_outside (P2): a new page is ``<folder of a kind>/<slug>.md``, an old one is where pages are."""
    allowed = folders(change)
    for path in change.pages:
        if change.old(path) is not None:
            if change.before.resolve(path) is None:
                yield Finding("path_outside", path, "this file is no page of the wiki")
            continue
        folder, _, name = path.rpartition("/")
        if not folder or folder not in allowed or not name.endswith(".md") or not is_slug(name.removesuffix(".md")):
            wanted = ", ".join(sorted(allowed))
            yield Finding("path_outside", path, f"a new page is <slug>.md in one of: {wanted}")


def protected(change: Change) -> Iterator[Finding]:
    """path_protected (P3): sources, contract files, generated files and dot names are not written as pages."""
    for path in change.pages:
        if is_protected(path):
            yield Finding("path_protected", path, "this is not a page that an ingest may write")


def is_protected(path: str) -> bool:
    """True for what no ingest writes as a page, however its letters are dressed up."""
    parts = plain(path).split("/")
    if (
        parts[0] in ("sources", "node_modules")
        or parts[-1] in _GENERATED
        or (len(parts) == 1 and parts[0] in _ROOT_FILES)
    ):
        return True
    return any(part.startswith(".") and part not in (".", "..") for part in parts)


def reserved(change: Change) -> Iterator[Finding]:
    """path_reserved (P4): no name that Windows keeps for itself or cannot write."""
    for path in _new(change):
        if any(RESERVED.match(part) or _UNSAFE.search(part) for part in path.split("/")):
            yield Finding("path_reserved", path, "Windows cannot have a file of this name")


def too_long(change: Change) -> Iterator[Finding]:
    """path_too_long (P5): at most 200 bytes, and no deeper than four folders or than the wiki's own."""
    allowed = folders(change)
    for path in _new(change):
        folder = path.rpartition("/")[0]
        deep = folder.count("/") >= MAX_FOLDERS and folder not in allowed
        if deep or len(path.encode("utf-8", "replace")) > MAX_PATH_BYTES:
            yield Finding("path_too_long", path, f"at most {MAX_FOLDERS} folders and {MAX_PATH_BYTES} bytes")


def collides(change: Change) -> Iterator[Finding]:
    """path_collides (P6): no new path differs from another only by case or width, or goes through a file."""
    seen = {plain(path): path for path in change.pages if change.old(path) is not None}
    for path in _new(change):
        other = seen.setdefault(plain(path), path)
        if other == path:
            other = _twin(change, path) or _file_above(change, path) or path
        if other != path:
            yield Finding("path_collides", path, f"on some file systems this is the same as {other}")


def folders(change: Change) -> frozenset[str]:
    """Where new pages may stand: the folders of the kinds, as this wiki has them and as AIP-10 names them."""
    return change.before.store.conventions().places


def _new(change: Change) -> Iterator[str]:
    return (path for path in change.pages if change.old(path) is None)


def _twin(change: Change, path: str) -> str | None:
    """A page of the wiki whose path is the same but for case: looked up by name, because nobody walks all pages."""
    store = change.before.store
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".md")
    key = name_key(stem.replace("-", " "))
    hits = [store.by_slug(slug) for slug in store.named([key]).get(key, [])]
    hits += [store.by_path(f"{folder}/{twin}.md") for twin in (stem.upper(), stem.title(), stem.capitalize())]
    return next(
        (hit.path for hit in hits if hit is not None and hit.path != path and plain(hit.path) == plain(path)), None
    )


def _file_above(change: Change, path: str) -> str | None:
    """A file where the new path needs a folder, in the wiki or in the change itself."""
    parts = path.split("/")
    above = ["/".join(parts[:end]) for end in range(1, len(parts))]
    return next((p for p in above if p in change.pages or change.before.store.read(p) is not None), None)

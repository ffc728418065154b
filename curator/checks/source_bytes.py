"""The sources against the digests they were taken in by: lint, validate and doctor ask here what changed."""

from __future__ import annotations

from curator.wiki.validation import SOURCE_MISMATCH, SOURCE_NOT_FOUND, Failure


def changed_source(path: str, pinned: str, seen: str | None) -> Failure | None:
    """What is wrong with the source at ``path``; None for nothing, or where two algorithms cannot be compared.

    ``pinned`` is the digest in the registry, ``seen`` that of its file: ``<algo>:<hex>``, or None for no plain file.
    """
    if seen is None:
        return Failure(SOURCE_NOT_FOUND, path, "it was taken in, and is not there")
    if seen == pinned or seen.partition(":")[0] != pinned.partition(":")[0]:
        return None
    return Failure(SOURCE_MISMATCH, path, f"its bytes are {seen[:19]}…, it was taken in as {pinned[:19]}…")

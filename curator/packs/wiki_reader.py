"""The reader of an AIP-10 wiki as committed, through the catalogue: a big wiki costs what a small one does."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import cached_property
from pathlib import Path

from curator.errors import CuratorError
from curator.packs.pack import KnowledgePack
from curator.packs.reader import FolderFiles, PackFiles, is_below_wiki, text_of
from curator.repository.repository import Repository
from curator.repository.snapshot import Snapshot
from curator.wiki.english.stop_words import telling_words
from curator.wiki.pages.names import keys_in
from curator.wiki.workspace.refs import FILE


class WikiFiles:
    """The wiki in one commit."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    @property
    def version(self) -> str:
        return self._snapshot.base

    @cached_property
    def _blobs(self) -> dict[str, str]:
        repository = self._snapshot.repository
        blobs = repository.git.tree(self._snapshot.base, repository.prefix.rstrip("/"))
        found = ((blob.path.removeprefix(repository.prefix), blob.oid) for blob in blobs if blob.is_plain)
        return dict(sorted((path, oid) for path, oid in found if _is_listed(path)))

    @cached_property
    def paths(self) -> tuple[str, ...]:
        return tuple(self._blobs)

    def read(self, path: str) -> str | None:
        oid = self._snapshot.catalogue.blob(path, self._snapshot.base) or self._blobs.get(path)
        return text_of(self._snapshot.repository.git.blob(oid)) if oid else None

    def digest(self) -> str:
        listed = "\n".join(f"{path}\0{oid}" for path, oid in self._blobs.items())
        return hashlib.sha256(listed.encode("utf-8", "surrogatepass")).hexdigest()

    def is_page(self, path: str) -> bool:
        return is_below_wiki(path) or self._snapshot.catalogue.blob(path, self._snapshot.base) != ""

    def pages(self, query: str, limit: int) -> Sequence[str]:
        """Pages whose names stand in the query, those of most words first; then the best by full text."""
        wiki, catalogue = self._snapshot.wiki, self._snapshot.catalogue
        named = wiki.named_all(keys_in(query))
        found = [named[key].path for key in sorted(named, key=lambda key: (-key.count(" "), key))]
        for slug, _ in catalogue.any_of(" ".join(telling_words(query)), limit):
            if (entry := wiki.entry(slug)) is not None:
                found.append(entry.path)
        return tuple(dict.fromkeys(found))[:limit]

    def linked(self, path: str) -> Sequence[str]:
        wiki = self._snapshot.wiki
        entry = self._snapshot.catalogue.by_path(path)
        targets = (wiki.resolve(target) for target in entry.links) if entry is not None else ()
        return tuple(dict.fromkeys(each.path for each in targets if each is not None and each.path != path))

    def superseding(self, path: str) -> Sequence[str]:
        entry = self._snapshot.catalogue.by_path(path)
        return self._snapshot.catalogue.superseding(entry.slug) if entry is not None else ()

    def close(self) -> None:
        self._snapshot.repository.close()


def _is_listed(path: str) -> bool:
    return not path.startswith("runs/") and not any(part.startswith(".") for part in path.split("/"))


def opened(pack: KnowledgePack) -> PackFiles:
    """The files of ``pack``: a wiki's as committed, any other's, and a wiki's that is in no commit, as they lie on disk."""
    if pack.properties.is_workspace:
        with suppress(CuratorError, OSError), ExitStack() as broken_off:
            repository = broken_off.enter_context(Repository(Path(pack.root), recovers=False))
            snapshot = repository.view()
            if snapshot.read(FILE) is not None:
                broken_off.pop_all()
                return WikiFiles(snapshot)
    return FolderFiles(pack.root, is_wiki=pack.properties.is_workspace)

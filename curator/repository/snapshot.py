"""A snapshot: the wiki as it is in one commit, read through the catalogue."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from curator.errors import WikiError
from curator.repository import manifest_files, views
from curator.repository.catalogue import Delta, rows
from curator.repository.git import Blob, Changed
from curator.repository.manifest_files import Commit
from curator.repository.views import View
from curator.repository.wiki_folder import WikiFolder
from curator.system.edited_text import EditedText, Text, is_utf8
from curator.wiki import index
from curator.wiki.wiki import Wiki
from curator.wiki.workspace import refs
from curator.wiki.workspace.workspace import CurationPolicy, Workspace

if TYPE_CHECKING:
    from datetime import datetime

    from curator.repository.history import TakenIn
    from curator.wiki.sources.records import SourceRecords
    from curator.wiki.sources.registry import SourceManifest
    from curator.wiki.sources.retention import Due

_MANY = 1_000
"""Pages that another may have changed for the index to be changed line by line."""
_SHARE = 4
"""Of so many pages one may have changed for the catalogue to follow page by page, by one core:
for each that takes two to five times as long as to read it with all others."""
_BIG = 4_000_000
"""Characters of a text that is not kept: the index of a big wiki is asked for once."""


class _CommitTexts:
    """The texts of one commit, each fetched once."""

    def __init__(self, repository: WikiFolder, base: str) -> None:
        self._repository, self._base = repository, base
        self._texts: dict[str, str | None] = {}

    def read(self, path: str) -> str | None:
        if path not in self._texts:
            # By its id where that is known: finding a path in the tree of a big wiki takes git ten milliseconds.
            name = self._repository.catalogue.blob(path, self._base) or f"{self._base}:{self._repository.prefix}{path}"
            data = self._repository.git.blob(name)
            try:
                text = None if data is None else data.decode("utf-8")
            except UnicodeDecodeError:
                text = None
            if text is not None and len(text) > _BIG:
                return text
            self._texts[path] = text
        return self._texts[path]


class Snapshot:
    """The wiki as it is in one commit: its pages, its registry of sources, its manifest."""

    def __init__(self, repository: WikiFolder, base: str) -> None:
        self.repository = repository
        self.base = base
        self._refresh()
        # The catalogue gets a reader of its own: with one of ours, each would hold the other, and a snapshot with its log,
        # manifest and pages would stay until Python looks for rings, which in a big process is seldom.
        self._reader = _CommitTexts(repository, base)
        self.catalogue = repository.catalogue.reading(self._reader.read)
        self.wiki = Wiki(self.catalogue)
        self._index_ahead: bytes | None = None

    def read(self, path: str) -> str | None:
        """The text of a file of the commit, ``path`` from the wiki root; None when it is not there or no UTF-8."""
        return self._reader.read(path)

    def contents(self, paths: Collection[str]) -> Iterator[tuple[str, bytes]]:
        """The bytes of those of ``paths`` that are plain files of the commit, read many at once."""
        prefix, wanted = self.repository.prefix, frozenset(paths)
        blobs = (
            (blob.path.removeprefix(prefix), blob) for blob in self.repository.git.tree(self.base, prefix.rstrip("/"))
        )
        there = {path: blob.oid for path, blob in blobs if blob.is_plain and path in wanted}
        found = [path for path in paths if path in there]
        for path, data in zip(found, self.repository.git.contents([there[path] for path in found]), strict=True):
            if data is not None:
                yield path, data

    def own(self, path: str) -> str:
        """The text of a file that curator writes; empty when there is none. Raises WikiError when it is no text."""
        return self.read(path) or self._own_bytes(path).decode("utf-8")

    def _own_bytes(self, path: str) -> bytes:
        """The same, as it is written: what is as big as a wiki is not decoded."""
        git, shown = self.repository.git, self.repository.prefix + path
        data = git.big_blob_as_it_lies(self.base, shown) or git.blob(f"{self.base}:{shown}") or b""
        if not is_utf8(data):
            hint = f"restore it from git ('git log -- {path}' shows its versions), or make it UTF-8"
            raise WikiError("file_not_text", f"{path} is not UTF-8", hint)
        return data

    @property
    def index(self) -> bytes | None:
        """That of the pages by their kinds, where it is known without making it: as committed, or as it would be."""
        ahead, self._index_ahead = self._index_ahead, None  # not kept: that of a big wiki is asked for once
        return ahead or self._known_index()

    def read_ahead(self) -> None:
        """Read the index now, while there is nothing else to do."""
        self._index_ahead = self._known_index()

    def _known_index(self) -> bytes | None:
        return self.index_since(self.catalogue.known_index)

    def index_since(self, known: str) -> bytes | None:
        """The index as it would be, from that of the commit ``known``, where it was right; None: it has to be made."""
        if known == self.base:
            return self._own_bytes(index.PATH)
        changes = self._changes_since(known, _MANY)
        before = None if changes is None else self.repository.git.blob(f"{known}:{self.repository.prefix}{index.PATH}")
        if changes is None or before is None:
            return None
        from curator.repository.known_index import followed  # only where somebody else has committed

        return followed(before, filter(None, map(self._delta, changes)), self.catalogue)

    def workspace(self, view: View | None = None) -> Workspace:
        """The wiki's KNOWLEDGE.md as committed, or ``view`` of it, merged with all it extends. Raises WikiError."""
        if view not in self._workspaces:
            self._workspaces[view] = self._composed(view or View(str(self.repository.root / refs.FILE)))
        return self._workspaces[view]

    def manifest(self) -> SourceManifest:
        """The registry of the sources that were ingested. Raises WikiError."""
        return self._manifest

    @cached_property
    def registry(self) -> SourceRecords:
        """The same with the ids of the sources, which are worked out once. Raises WikiError."""
        from curator.wiki.sources.records import SourceRecords  # a search asks for none

        return SourceRecords(self.manifest())

    def policy(self, view: View | None) -> CurationPolicy:
        """How this wiki is curated, through ``view`` where there is one. Raises WikiError."""
        return self.workspace(view).policy_over(self.workspace())

    def sources_due(self, now: datetime) -> list[Due]:
        """The sources kept for long enough; none where KNOWLEDGE.md cannot be read, which is told elsewhere."""
        from curator.wiki import log
        from curator.wiki.sources import retention

        try:
            policy = self.workspace().fields.get("sources") or {}
        except WikiError:
            return []
        return retention.due(self.manifest(), retention.days(policy), self.read(log.PATH) or "", now)

    def ingests_of(self, path: str) -> Iterator[TakenIn]:
        """What the last ingests made of the page at ``path``, newest first."""
        from curator.repository import history

        return history.ingests_of(self.repository.git, self.base, path, self.repository.prefix)

    def hidden(self, view: View | None) -> frozenset[str]:
        """The paths of the pages that are not seen through ``view``."""
        workspace = self.workspace(view)
        if len(workspace.chain) < 2 or workspace.chain[0] != str(self.repository.root / refs.FILE):
            return frozenset()
        with manifest_files.ManifestFiles(own=Commit(self.repository.git, self.base)) as files:
            return views.hidden(workspace, files, self.wiki)

    @cached_property
    def _workspaces(self) -> dict[View | None, Workspace]:
        return {}

    def _composed(self, view: View) -> Workspace:
        with manifest_files.ManifestFiles(own=Commit(self.repository.git, self.base)) as files:
            return views.compose(view, files, self.repository.root)

    @cached_property
    def _manifest(self) -> SourceManifest:
        from curator.wiki.sources import registry

        commit, proven = self.catalogue.proven_registry()
        is_proven = commit == self.base or (proven is not None and self._has_as_in(commit, registry.PATH))
        return registry.parsed(self._own_bytes(registry.PATH), proven if is_proven else None)

    def _has_as_in(self, commit: str, path: str) -> bool:
        """True for a file that another commit has, too, byte for byte."""
        git, shown = self.repository.git, f"{self.repository.prefix}{path}"
        if git.commit_of(commit) is None:
            return False
        there, here = (git.entry_at(each, shown) for each in (commit, self.base))
        return there is not None and there == here

    def _refresh(self) -> None:
        """Bring the catalogue to this commit by the difference of the two trees; again if another process was faster.

        And keep it there: others that land meanwhile must not mix their pages into what is seen of this commit.
        """
        git, catalogue, prefix = self.repository.git, self.repository.catalogue, self.repository.prefix
        while (shown := catalogue.hold()) != self.base:
            changes = self._changes_since(shown, max(_MANY, catalogue.count() // _SHARE))
            if changes is None:
                with closing(rows.rows_of_tree(git, git.tree(self.base, prefix.rstrip("/")), prefix)) as pages:
                    catalogue.make(shown, self.base, pages)
                continue
            catalogue.update(shown, self.base, filter(None, map(self._delta, changes)))

    def _changes_since(self, commit: str, most: int) -> list[Changed] | None:
        """The files that may be pages and have changed since that commit; None where it is gone, or they are more."""
        git, prefix = self.repository.git, self.repository.prefix
        if not commit or git.commit_of(commit) is None:
            return None
        changes = git.changes(commit, self.base, prefix.rstrip("/"))
        found = list(islice((each for each in changes if rows.is_shown(each.path.removeprefix(prefix))), most + 1))
        return found if len(found) <= most else None

    def deltas_to(self, files: Mapping[str, Text | None]) -> list[Delta]:
        """What a commit of ``files`` upon this one changes in the catalogue; empty where git is to be asked about that."""
        git, prefix, found = self.repository.git, self.repository.prefix, list[Delta]()
        for path in filter(rows.is_shown, files):
            text, before = files[path], self.read(path)
            is_unread = before is None and git.blob(f"{self.base}:{prefix}{path}") is not None
            if is_unread or isinstance(text, EditedText) or len(found) == _MANY:
                return []
            found.append(Delta(path, before, text, "" if text is None else git.id_of(text.encode())))
        return found

    def _delta(self, change: Changed) -> Delta | None:
        path = change.path.removeprefix(self.repository.prefix)
        blob = change.after.oid if change.after is not None else ""
        delta = Delta(path, self._text(change.before), self._text(change.after), blob)
        return None if delta.before is delta.after is None else delta

    def _text(self, blob: Blob | None) -> str | None:
        if blob is None or not blob.is_plain:
            return None
        data = self.repository.git.blob(blob.oid)
        return None if data is None else data.decode("utf-8", "replace")

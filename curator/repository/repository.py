"""The wiki's git repository: a transaction begins at a commit, and ends in exactly one new commit or in no change."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from curator.errors import ConfigError, Conflict, WikiError
from curator.repository import manifest_files, views
from curator.repository.catalogue import FILE, Catalogue, Delta, build
from curator.repository.git import Blob, Changed, Git
from curator.repository.manifest_files import Commit
from curator.repository.runtime.runtime import Runtime
from curator.repository.transaction import recovery
from curator.repository.transaction.disk_checks import check_rights
from curator.repository.transaction.transaction import CommitTransaction, IncomingFile
from curator.repository.views import View
from curator.wiki.sources import registry as manifest
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.wiki import Wiki
from curator.wiki.workspace import refs
from curator.wiki.workspace.workspace import CurationPolicy, Workspace


class Repository:
    """A wiki in git. Use it as a context manager."""

    def __init__(self, root: Path, *, recovers: bool = True) -> None:
        """``recovers`` is False for one who wants to see what is there, whatever state it is in."""
        self.root = root.resolve()
        self.git = Git(self.root)
        relative = self.root.relative_to(self.git.top.resolve()).as_posix()
        self.prefix = "" if relative == "." else relative + "/"
        self.runtime = Runtime.of(self.git.runtime, self.prefix)
        self.runtime.folder.mkdir(parents=True, exist_ok=True)
        if recovers:
            check_rights([*{self.runtime.folder, self.runtime.shared}])
            self._recover()

    def _recover(self) -> None:
        """The first act of every command: finish what a crash interrupted. A curate at work holds the lock: let it be."""
        recovery.sweep(self.runtime)
        recovery.sweep_spool(self.runtime)
        if self.runtime.journal.exists():
            try:
                with self.runtime.lock(seconds=0) as held, self.git.holding(held):
                    recovery.recover(self.git, self.runtime)
            except Conflict as error:
                if error.code != "busy":
                    raise

    def __enter__(self) -> Repository:
        return self

    def __exit__(self, *_: object) -> None:
        self.git.close()
        if "catalogue" in self.__dict__:
            self.catalogue.close()

    @cached_property
    def catalogue(self) -> Catalogue:
        """The pages of the commit that was looked at last."""
        return Catalogue.open(self.runtime.folder / FILE)

    def head(self) -> str | None:
        return self.git.commit_of("HEAD")

    def begin(self) -> Transaction:
        """A view of the branch's newest commit. Raises Conflict when the user is in the middle of something."""
        branch = self.git.branch()
        if branch is None:
            raise Conflict("detached_head", "HEAD is detached: there is no branch to commit to", "git switch <branch>")
        busy = self.git.in_progress()
        if busy is not None:
            raise Conflict("git_busy", f"{busy} is in progress", "finish or abort it")
        base = self.git.commit_of(branch)
        if base is None:
            raise Conflict("no_commit", "the branch has no commit yet", "commit KNOWLEDGE.md first")
        return Transaction(self, branch, base)

    def view(self) -> Snapshot:
        """The newest commit, for reading only; works on a detached HEAD too."""
        commit = self.head()
        if commit is None:
            raise ConfigError("no_commit", "the wiki has no commit yet", "commit KNOWLEDGE.md first")
        return Snapshot(self, commit)


class _Reader:
    """The texts of one commit, each fetched once."""

    def __init__(self, repository: Repository, base: str) -> None:
        self._repository, self._base = repository, base
        self._texts: dict[str, str | None] = {}

    def read(self, path: str) -> str | None:
        if path not in self._texts:
            # By its id where that is known: finding a path in the tree of a big wiki takes git ten milliseconds.
            name = self._repository.catalogue.blob(path, self._base) or f"{self._base}:{self._repository.prefix}{path}"
            data = self._repository.git.blob(name)
            try:
                self._texts[path] = None if data is None else data.decode("utf-8")
            except UnicodeDecodeError:
                self._texts[path] = None
        return self._texts[path]


class Snapshot:
    """One commit, read through the catalogue."""

    def __init__(self, repository: Repository, base: str) -> None:
        self.repository = repository
        self.base = base
        self._refresh()
        # The catalogue gets a reader of its own: with one of ours, each would hold the other, and a snapshot with its log,
        # manifest and pages would stay until Python looks for rings, which in a big process is seldom.
        self._reader = _Reader(repository, base)
        self.catalogue = repository.catalogue.reading(self._reader.read)
        self.wiki = Wiki(self.catalogue)

    def read(self, path: str) -> str | None:
        """The text of a file of the commit, ``path`` from the wiki root; None when it is not there or no UTF-8."""
        return self._reader.read(path)

    def own(self, path: str) -> str:
        """The text of a file that curator writes; empty when there is none. Raises WikiError when it is no text."""
        text = self.read(path)
        if text is None and self.repository.git.blob(f"{self.base}:{self.repository.prefix}{path}") is not None:
            hint = f"restore it from git ('git log -- {path}' shows its versions), or make it UTF-8"
            raise WikiError("file_not_text", f"{path} is not UTF-8", hint)
        return text or ""

    def workspace(self, view: View | None = None) -> Workspace:
        """The wiki's KNOWLEDGE.md as committed, or ``view`` of it, merged with all it extends. Raises WikiError."""
        if view not in self._workspaces:
            self._workspaces[view] = self._composed(view or View(str(self.repository.root / refs.FILE)))
        return self._workspaces[view]

    def manifest(self) -> SourceManifest:
        """Which sources are in. Raises WikiError."""
        return self._manifest

    @cached_property
    def registry(self) -> SourceRecords:
        """The same with the ids of the sources, which are worked out once. Raises WikiError."""
        return SourceRecords(self.manifest())

    def policy(self, view: View | None) -> CurationPolicy:
        """How this wiki is curated, through ``view`` where there is one. Raises WikiError."""
        return self.workspace(view).policy_over(self.workspace())

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
        return SourceManifest.parse(self.own(manifest.PATH))

    def _refresh(self) -> None:
        """Bring the catalogue to this commit by the difference of the two trees; again if another process was faster.

        And keep it there: others that land meanwhile must not mix their pages into what is seen of this commit.
        """
        git, catalogue = self.repository.git, self.repository.catalogue
        folder = self.repository.prefix.rstrip("/")
        while (shown := catalogue.hold()) != self.base:
            if not shown or git.commit_of(shown) is None:
                with closing(build.rows(git, git.tree(self.base, folder), self.repository.prefix)) as pages:
                    catalogue.make(shown, self.base, pages)
                continue
            deltas = (delta for change in git.changes(shown, self.base, folder) if (delta := self._delta(change)))
            catalogue.update(shown, self.base, deltas)

    def _delta(self, change: Changed) -> Delta | None:
        path = change.path.removeprefix(self.repository.prefix)
        if not build.is_shown(path):
            return None
        blob = change.after.oid if change.after is not None else ""
        delta = Delta(path, self._text(change.before), self._text(change.after), blob)
        return None if delta.before is delta.after is None else delta

    def _text(self, blob: Blob | None) -> str | None:
        if blob is None or not blob.is_plain:
            return None
        data = self.repository.git.blob(blob.oid)
        return None if data is None else data.decode("utf-8", "replace")


class Transaction(Snapshot):
    """A snapshot of the branch that can be committed upon."""

    def __init__(self, repository: Repository, branch: str, base: str) -> None:
        super().__init__(repository, base)
        git, runtime = repository.git, repository.runtime
        self._landing = CommitTransaction(git, runtime, branch, base, repository.prefix)

    def commit(
        self, files: Mapping[str, str | None], arrival: IncomingFile | None, message: str, *, merges: bool = False
    ) -> str:
        """One commit of ``files`` and the source; see ``Landing.commit``, and ``Landing.merges``."""
        return replace(self._landing, merges=merges).commit(files, arrival, message)

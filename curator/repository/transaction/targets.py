"""What a commit must know about the paths it writes: base tree, attributes, files on disk.

All that git has to be asked for ``preconditions`` is asked here, in as few processes as may be; what is found out while
nothing is written yet is kept for the last look, under git's lock.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from curator.repository.git import Blob, Git
from curator.repository.transaction import contents, disk_checks, preconditions
from curator.repository.transaction.contents import BigContent, Content
from curator.repository.transaction.git_settings import Attributes, GitSettings, attributes, sparse_folders
from curator.repository.transaction.preconditions import FileContent, Target
from curator.repository.transaction.worktree import WorkTree


@dataclass(frozen=True)
class CommitTargets:
    """Every path that one commit writes."""

    git: Git
    all: tuple[Target, ...]
    new_folders: frozenset[str]
    """The outermost ones."""
    attributes: Mapping[str, Attributes]
    settings: GitSettings

    @classmethod
    def survey(
        cls, git: Git, base: str, prefix: str, goes: Mapping[str, bool], incoming: Sequence[str]
    ) -> CommitTargets:
        """Look at the paths of ``goes`` (True: the file goes) and of the ``incoming`` source files, all from ``prefix``.

        Raises Conflict when ``base`` has something else there than a file, and GitError when it is not in the repository.
        """
        paths = [prefix + path for path in (*goes, *incoming)]
        with ThreadPoolExecutor(2) as beside:  # others wait for their turn: three gits at once
            by_attributes, by_settings = beside.submit(attributes, git, paths), beside.submit(GitSettings.of, git)
            found = git.entries_at(base, paths)
        preconditions.in_the_tree([Target(path, path.removeprefix(prefix), found.get(path)) for path in paths], found)
        pages = [_page(git, prefix, path, found.get(prefix + path), goes[path]) for path in goes]
        sources = [Target(prefix + path, path, found.get(prefix + path), ours=False) for path in incoming]
        targets = cls(
            git,
            all=(*pages, *sources),
            new_folders=frozenset(preconditions.new_folders([*pages, *sources], found)),
            attributes=by_attributes.result(),
            settings=by_settings.result(),
        )
        targets._check(base)
        return targets

    def _check(self, base: str) -> None:
        # git itself tells of the twins of an ASCII name, under its lock.
        names = {target.path for target in self.pages if target.old is None and not target.path.isascii()}
        for path in sorted(self.new_folders | names):
            preconditions.collides(path, {*self.git.names_in(base, path.rpartition("/")[0])} - {*self.gone})
        if self.settings.has_cone:
            preconditions.in_the_cone(self.all, sparse_folders(self.git))
        preconditions.in_the_attributes(self.all, self.attributes, self.settings.filters)

    @property
    def pages(self) -> list[Target]:
        """The pages that will be written."""
        return [target for target in self.all if target.ours and not target.goes]

    @property
    def gone(self) -> list[str]:
        """The paths of the files that will be removed."""
        return [target.path for target in self.all if target.goes]

    @property
    def sources(self) -> list[Target]:
        """The source and its signatures, which are the user's."""
        return [target for target in self.all if not target.ours]

    def is_raw(self, path: str) -> bool:
        """True when git stores and writes the file at ``path`` byte by byte."""
        return not self.attributes[path] and not self.settings.converts

    def mode_of(self, source: Target) -> str:
        """As ``git add`` finds it: executable or not."""
        file = self.git.top / source.path
        if not self.settings.minds_modes or not file.exists():
            return source.mode
        return "100755" if file.stat().st_mode & 0o100 else "100644"

    def check_room(self, written: int, source: int) -> None:
        """Raise Conflict when the disk will not take so many bytes, before one is written."""
        index = self.git.directory / "index"
        size = written + source + 2 * (index.stat().st_size if index.exists() else 0)
        disk_checks.check_room({self.git.directory: size, self.git.top: written + source})
        places = {self.git.top / target.path: target for target in self.all}
        parents = {place.parent for place, target in places.items() if target.ours or not os.path.lexists(place)}
        folders = [folder for folder in (self.git.top, *sorted(parents)) if folder.is_dir()]
        disk_checks.check_rights([self.git.directory, *self.git.written_folders, *folders])
        # In the git directory the lock itself is a hard link; elsewhere it is tried out.
        here = self.git.directory.stat().st_dev
        disk_checks.check_links(folder for folder in folders if folder.stat().st_dev != here)

    def check_return(self, page: Target, oid: str, content: Content) -> None:
        """Raise Conflict when git would not read ``content``, which it writes for the page, back as what was committed."""
        attributes = self.attributes[page.path]
        if not attributes or not preconditions.may_come_back_otherwise(contents.in_bytes(content), attributes):
            return
        with tempfile.NamedTemporaryFile(dir=self.git.runtime) as file:
            contents.write(content, file)
            file.flush()
            if self.git.cleaned(Path(file.name), page.path, keep=False) != oid:
                raise preconditions.not_stable(page.shown, self.attributes[page.path])

    def edits(self, tree: WorkTree) -> dict[str, tuple[str, str]]:
        """The pages that the user has edited and not committed: the old text and his, by path.

        Only those that git stores byte by byte; of any other it is not known what the old text looks like in a file.
        """
        found = {}
        for page in self.pages:
            held = tree.look(page.path) if page.old is not None and self.is_raw(page.path) else None
            if page.old is not None and held is not None and held.content != page.text:
                with suppress(UnicodeDecodeError):
                    edited = tree.text(page.path) or b""
                    found[page.path] = ((self.git.blob(page.old.oid) or b"").decode(), edited.decode())
        return found

    def last_look(
        self, tree: WorkTree, expected: Sequence[Blob], fine: Mapping[str, set[Content]]
    ) -> dict[str, Content | None]:
        """What the files hold now. Raises Conflict when anything of the user's is at the paths we write.

        What is staged as one of the ``expected`` blobs is not in the way, nor a deletion of what is to go, nor a file that
        holds what is ``fine`` there.
        The files are read before git is asked: a save in between is seen by git, a later one by ``worktree``.
        """
        held: dict[str, FileContent | None] = {target.path: tree.look(target.path) for target in self.all}
        entries = list(self.git.entries([*held, *sorted(self.new_folders)]))
        wanted = {(blob.path, blob.mode, blob.oid) for blob in expected}
        staged = {e.path for e in entries if e.tag == "H" and (e.path, e.mode, e.oid) in wanted}
        staged.update({*self.gone} - {e.path for e in entries})
        preconditions.in_the_index(
            [target for target in self.all if target.path not in staged], entries, self.git.is_to_be_added
        )
        others = [t for t in self.all if (now := held[t.path]) is None or now.content not in fine.get(t.path, ())]
        preconditions.in_the_files(others, held, self.is_raw, self.git.changed)
        return {path: None if now is None else now.content for path, now in held.items()}


def _page(git: Git, prefix: str, path: str, old: Blob | None, goes: bool) -> Target:
    # The old text is needed, and more: what is not in this repository was not read, and must not be written over.
    known = git.big_blobs.get(old.oid) if old is not None else None
    if known is not None:
        return Target(prefix + path, path, old, BigContent(*known), goes)
    text = b"" if old is None else git.blob(old.oid) or b""
    return Target(prefix + path, path, old, contents.of_bytes(text), goes)

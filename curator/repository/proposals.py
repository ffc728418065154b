"""Proposals that wait for a person: each is a real commit, upon no branch, with the answer it was made from.

    refs/curator/proposals/NAME   what would be committed, upon the commit it was worked out for; a person's edits of its
                                  pages are a second commit upon that
    refs/curator/replies/NAME     the answer, as JSON: it is worked in anew when the proposal is approved

They are git's, so they outlast restarts, take room in no work tree, and go nowhere unless somebody pushes them.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from curator.errors import ConfigError, Conflict, meant_path
from curator.finding import Finding
from curator.repository import history
from curator.repository.change_set import ChangeSet
from curator.repository.git import Blob, Git
from curator.repository.snapshot import Snapshot
from curator.repository.source_files import check_folders
from curator.repository.wiki_folder import WikiFolder
from curator.system import atomic
from curator.system.edited_text import Text
from curator.wiki import index, log
from curator.wiki.pages import diff
from curator.wiki.pages.slug import slug_of_file
from curator.wiki.sources import registry

_COMMITS, _REPLIES = "refs/curator/proposals/", "refs/curator/replies/"
_FLAG = "Curator-Flag"
_GENERATED = (index.PATH, log.PATH, registry.PATH)


@dataclass(frozen=True)
class HeldProposal:
    """A proposal that waits: what one source would bring to the wiki."""

    name: str
    base: str
    """The commit it was worked out for."""
    proposed: str
    """The commit that it would be."""
    newest: str
    """The same, or the commit of a person's edits upon it."""
    source: str
    digest: str
    at: str
    """When it was made; RFC 3339."""
    subject: str
    flags: tuple[str, ...]
    """Why it waits: ``code: reason``; none where every proposal waits."""

    @property
    def is_edited(self) -> bool:
        return self.newest != self.proposed

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "source": self.source,
            "at": self.at,
            "flags": list(self.flags),
            "edited": self.is_edited,
            "commit": self.newest,
        }


@dataclass(frozen=True)
class PageEdit:
    """A page as it was proposed, and as a person wants it; None for one that is not to be."""

    path: str
    proposed: str | None
    wanted: str | None


def refs_of_proposals(git: Git) -> dict[str, str]:
    """The newest commit of each proposal, by its name."""
    return git.refs_below(_COMMITS)


@dataclass(frozen=True)
class Proposals:
    """The proposals that wait in one wiki."""

    repository: WikiFolder

    def all(self) -> list[HeldProposal]:
        """The oldest first."""
        refs = refs_of_proposals(self.repository.git)
        found = [held for name, commit in refs.items() if (held := self._held(name, commit)) is not None]
        return sorted(found, key=lambda held: (held.at, held.name))

    def named(self, asked: str) -> HeldProposal:
        """By its name, the beginning of it, or its source. Raises ConfigError."""
        waiting = self.all()
        exact = [held for held in waiting if asked in (held.name, held.source)]
        found = exact or [held for held in waiting if held.name.startswith(asked)]
        if len(found) != 1:
            seen = f"{len(found)} proposals are called" if found else "no proposal that waits is called"
            known = ", ".join(held.name for held in found or waiting) or "none waits"
            close = "" if found else meant_path(asked, (name for held in waiting for name in (held.name, held.source)))
            raise ConfigError("proposal_unknown", f"{seen} {asked!r}: {known}{close}", "curate review list")
        return found[0]

    def hold(
        self,
        change_set: ChangeSet,
        before: Snapshot,
        now: datetime,
        reply: Mapping[str, Any],
        flags: tuple[Finding, ...],
    ) -> HeldProposal:
        """Keep what ``change_set`` would make of ``before``, in the place of what waited for the same bytes.

        Raises Conflict when a person has edited that one.
        """
        git, prefix = self.repository.git, self.repository.prefix
        told = tuple(f"{_FLAG}: {flag.code}: {flag.message}" for flag in flags)
        said = replace(change_set, trailers=(*change_set.trailers, *told))
        files = {prefix + path: text for path, text in change_set.files_upon(before, now).items()}
        blobs = self._blobs(before.base, files)
        for file in change_set.source_file.all if change_set.source_file is not None else ():
            path = prefix + file.path
            blobs.append(Blob(path, "100644", git.cleaned(file.spooled.file, path, keep=True)))
        tree = git.tree_with(before.base, blobs, [path for path, text in files.items() if text is None])
        commit = git.commit_tree(tree, before.base, said.message)
        made = history.commits_of(git, commit, 1)[0]
        name = self._name(made.source, made.digest)
        if any(held.name == name and held.is_edited for held in self.all()):
            edited = f"the proposal {name}, for the same bytes, has been edited"
            raise Conflict("proposal_edited", edited, f"curate review approve {name}, or: curate review reject {name}")
        (answer,) = git.store([json.dumps(reply, indent=1).encode()])
        git.set_ref(_REPLIES + name, answer)  # first: a proposal without its answer could not be approved
        git.set_ref(_COMMITS + name, commit)
        return self.named(name)

    def reply_of(self, held: HeldProposal) -> dict[str, Any]:
        """The answer it was made from, as it was handed to ``hold``."""
        kept: dict[str, Any] = json.loads(self.repository.git.blob(_REPLIES + held.name) or b"{}")
        return kept

    def pages(self, held: HeldProposal) -> dict[str, tuple[str | None, str | None]]:
        """The text of each page that it would change, by path: now on the branch it was made for, and as wanted."""
        git, prefix = self.repository.git, self.repository.prefix
        changed = (each.path.removeprefix(prefix) for each in git.changes(held.base, held.newest, prefix.rstrip("/")))
        paths = [path for path in changed if path.endswith(".md") and path not in _GENERATED]
        paths = [path for path in paths if not path.startswith("sources/")]
        return {path: (self._text(held.base, path), self._text(held.newest, path)) for path in sorted(paths)}

    @contextmanager
    def source_in_place(self, held: HeldProposal, root: Path) -> Iterator[Path | None]:
        """The source's file, or None; where there is none, it comes with its signatures out of the proposal's own commit
        and is put below ``root``, the wiki's or a folder aside.

        What was put there goes again where the block raises or the source is in no commit at its end: a clone that has only
        fetched the proposal is left as it was. Raises SourceError where a link would lead the bytes elsewhere.
        """
        git, prefix = self.repository.git, self.repository.prefix
        source, put = self.repository.root / held.source, list[Path]()
        if not os.path.lexists(source):
            source = root / held.source
            changed = (each.after for each in git.changes(held.base, held.proposed, f"{prefix}sources"))
            blobs = [blob for blob in changed if blob is not None and blob.is_plain]
            for path, content in git.smudged(blobs).items():
                check_folders(root, path.removeprefix(prefix))
                file = root / path.removeprefix(prefix)
                if not os.path.lexists(file):
                    file.parent.mkdir(parents=True, exist_ok=True)
                    atomic.write(file, content)
                    put.append(file)
        try:
            yield source if os.path.lexists(source) else None
        finally:
            for file in put:
                if not git.blobs_at("HEAD", [prefix + file.relative_to(root).as_posix()]):
                    file.unlink(missing_ok=True)

    def diffs(self, held: HeldProposal) -> dict[str, str]:
        """The unified diff of each page, by path."""
        return {path: diff.between(path, old, new) for path, (old, new) in self.pages(held).items()}

    def edit(self, held: HeldProposal, texts: Mapping[str, str | None]) -> HeldProposal:
        """The proposal with other texts of its pages; None for one that is not to be. Raises Conflict."""
        git = self.repository.git
        files = {self.repository.prefix + path: text for path, text in texts.items()}
        gone = [path for path, text in files.items() if text is None]
        tree = git.tree_with(held.newest, self._blobs(held.newest, files), gone)
        commit = git.commit_tree(tree, held.proposed, f"edits of the proposal {held.name}\n")
        if not git.set_ref(_COMMITS + held.name, commit, held.newest):
            raise Conflict("proposal_moved", f"{held.name} was changed meanwhile", "look at it once more")
        return replace(held, newest=commit)

    def edits(self, held: HeldProposal) -> tuple[PageEdit, ...]:
        """The pages that a person has edited."""
        if not held.is_edited:
            return ()
        changed = self.repository.git.changes(held.proposed, held.newest, self.repository.prefix.rstrip("/"))
        paths = [each.path.removeprefix(self.repository.prefix) for each in changed]
        return tuple(PageEdit(path, self._text(held.proposed, path), self._text(held.newest, path)) for path in paths)

    def drop(self, held: HeldProposal) -> None:
        """Let it go; its objects are git's to clear away."""
        self.repository.git.set_ref(_COMMITS + held.name, None)
        self.repository.git.set_ref(_REPLIES + held.name, None)

    def _held(self, name: str, commit: str) -> HeldProposal | None:
        """What waits as ``name``; None for what is another wiki's of the repository, or nothing of ours."""
        found = history.commits_of(self.repository.git, commit, 2)
        own = next((each for each in found if each.source), None)
        if own is None or not own.parents or name != self._name(own.source, own.digest):
            return None
        flags = tuple(own.all(_FLAG))
        return HeldProposal(name, own.parents[0], own.id, commit, own.source, own.digest, own.at, own.subject, flags)

    def _blobs(self, commit: str, files: Mapping[str, Text | None]) -> list[Blob]:
        """Texts as files of a commit, with the rights that those have which are there already."""
        git, texts = self.repository.git, {path: text for path, text in files.items() if text is not None}
        known = git.blobs_at(commit, list(texts))
        oids = git.store(list(texts.values()))
        modes = (known[path].mode if path in known else "100644" for path in texts)
        return [Blob(path, mode, oid) for path, mode, oid in zip(texts, modes, oids, strict=True)]

    def _text(self, commit: str, path: str) -> str | None:
        found = self.repository.git.blob(f"{commit}:{self.repository.prefix}{path}")
        return None if found is None else found.decode("utf-8", "replace")

    def _name(self, source: str, digest: str) -> str:
        """The same for the same bytes at the same place."""
        of = f"{self.repository.prefix}\0{source}\0{digest}".encode("utf-8", "surrogateescape")
        return f"{(slug_of_file(source) or 'source')[:60]}-{hashlib.sha256(of).hexdigest()[:8]}"

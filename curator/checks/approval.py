"""Whether the rules a wiki is kept by were approved: the gate against "Schema poisoning" (AIP-10, Security Considerations).

"KNOWLEDGE.md and AGENTS.md SHOULD be subject to the same governance gate as any contract": both are part of what a model is
told. The manifests KNOWLEDGE.md extends and the policy it binds belong to them, where they lie in the same repository:
those that it has now and those that it had, with the symbolic links on the way there.

Approved is what these files were in the newest commit of curator's to this wiki that

- says so in a trailer (``Curator-Approved``), which ``curate approve`` makes, or
- took a source in, for it did so by them.

Where there is no such commit yet, what is there holds: nobody has gone by other rules. The record is git's history; who may
write that may approve.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from curator.errors import NotApproved, WikiError
from curator.repository import history, manifest_files, views
from curator.repository.git import Git
from curator.repository.repository import Repository
from curator.repository.snapshot import Snapshot
from curator.repository.views import View
from curator.repository.wiki_folder import WikiFolder
from curator.wiki import log
from curator.wiki.pages import diff
from curator.wiki.workspace import manifest, policy, refs, weakening
from curator.wiki.workspace.manifest import KnowledgeManifest
from curator.wiki.workspace.workspace import Workspace

PROSE = "AGENTS.md"
UNAPPROVED = "schema_unapproved"
_MOST = 5
"""So many of the weaker points are told in one line."""
_TRAILER = re.compile(r"Curator-[A-Z][a-z]+: \S.*")
_MOST_STEPS = 1000
"""From folder to folder; symbolic links may lead in a ring."""


@dataclass(frozen=True)
class Unapproved:
    """One file that is not what it was."""

    path: str
    """From the wiki root; with ``..`` for one outside of it."""
    before: str | None
    after: str | None
    weaker: tuple[str, ...] = ()
    """What it asks less of than before, in words."""
    changed: tuple[str, ...] = ()
    """The fields of a manifest that are not the same."""
    asked: str = ""
    """What its author should do about it: a new shape wants a new version."""

    @property
    def diff(self) -> str:
        return diff.between(self.path, self.before, self.after)

    @property
    def digest(self) -> str:
        return "none" if self.after is None else f"sha256:{hashlib.sha256(self.after.encode()).hexdigest()}"


def pending(snapshot: Snapshot) -> tuple[Unapproved, ...]:
    """The files that changed since they were approved."""
    git = snapshot.repository.git
    approved = _approved_in(snapshot)
    if approved in ("", snapshot.base):
        return ()
    found = []
    for path, shown in _gated(snapshot, approved).items():
        before, after = (_text(git, commit, path) for commit in (approved, snapshot.base))
        if before != after:
            found.append(_compared(shown, before, after))
    return tuple(found)


def edited(repository: Repository) -> list[str]:
    """Which of the wiki's own rules have edits that are not committed."""
    return repository.git.edited("HEAD", (refs.FILE, PROSE))


def check_approved(snapshot: Snapshot) -> None:
    """Raises NotApproved when the rules are not approved, or nobody can tell."""
    if found := pending(snapshot):
        raise NotApproved(UNAPPROVED, told(found), "'curate status' shows the change, 'curate approve' accepts it")
    # Last, what has to be read most: the registry of a big wiki is megabytes.
    if snapshot.repository.git.is_shallow and snapshot.manifest().sources and not _approved_in(snapshot):
        message = "the history here is cut off (a shallow clone), and what rules were approved lies before that"
        hint = "git fetch --unshallow; or governance = 'trust' in curator.toml, where others see to that"
        raise NotApproved("schema_unknown", message, hint)


def told(found: tuple[Unapproved, ...]) -> str:
    """The change in one sentence, what got weaker first."""
    names = " and ".join(each.path for each in found)
    weaker = [words for each in found for words in each.weaker]
    more = f", and {len(weaker) - _MOST} more" if len(weaker) > _MOST else ""
    how = f": {'; '.join(weaker[:_MOST])}{more}" if weaker else ""
    return f"{names} changed and nobody has approved it{how}"


def _approved_in(snapshot: Snapshot) -> str:
    """The newest commit whose rules are approved; empty when there is none.

    Curator's commits write the log of their wiki: by that, those to other wikis of the repository are told apart. What
    looks like a trailer and stands in the middle of a message is none.
    """
    if _is_plainly_one(snapshot):
        return snapshot.base
    names = (history.APPROVED, history.SOURCE)
    said = ",".join(f"key={name}" for name in names)
    fields = ("%H", f"%(trailers:{said},unfold)")
    for most in (("-n1",), ()):
        grep = (f"--grep=^{name}: " for name in names)
        options = (*most, "--full-history", *grep, snapshot.base, "--", log.PATH)
        found = snapshot.repository.git.log_fields(fields, *options)
        for commit, trailers in found:
            if trailers:
                return commit
        if not found:
            break
    return ""


def _is_plainly_one(snapshot: Snapshot) -> bool:
    """True where the newest commit itself is one, told without a process: its message ends in trailers of curator's and
    nothing else, and it has one parent, with another log. Of one that looks otherwise git has to say.
    """
    git, path = snapshot.repository.git, snapshot.repository.prefix + log.PATH
    parents, message = git.message(snapshot.base)
    body, _, last = message.rstrip("\n").rpartition("\n\n")
    lines = last.split("\n")
    if len(parents) != 1 or not body or not all(map(_TRAILER.fullmatch, lines)):
        return False
    is_one = any(line.startswith((f"{history.APPROVED}: ", f"{history.SOURCE}: ")) for line in lines)
    return is_one and git.entry_at(snapshot.base, path) != git.entry_at(parents[0], path)


def _gated(snapshot: Snapshot, approved: str) -> dict[str, str]:
    """The files of the gate: path from the top of the repository, and from the wiki."""
    repository = snapshot.repository
    found = {f"{repository.prefix}{name}": name for name in (refs.FILE, PROSE)}
    top, root = repository.git.top.resolve(), repository.root
    for commit in (approved, snapshot.base):
        for path in (each for named in _rules(snapshot, commit) for each in _on_the_way(named, top)):
            found.setdefault(path.relative_to(top).as_posix(), Path(os.path.relpath(path, root)).as_posix())
    return found


def _rules(snapshot: Snapshot, commit: str) -> tuple[Path, ...]:
    """The manifests and the policy that the wiki went by in a commit, as they are named."""
    try:
        workspace = snapshot.workspace() if commit == snapshot.base else _workspace(snapshot.repository, commit)
    except WikiError:
        return ()  # what is wrong with it is told where it is read
    return tuple(map(Path, (*workspace.chain, *filter(None, [workspace.merged.governance]))))


def _workspace(folder: WikiFolder, commit: str) -> Workspace:
    with manifest_files.ManifestFiles(own=manifest_files.Commit(folder.git, commit)) as files:
        return views.compose(View(str(folder.root / refs.FILE)), files, folder.root)


def _on_the_way(named: Path, top: Path) -> Iterator[Path]:
    """Below ``top``: the file that is named, and the symbolic links among the folders it is reached through."""
    at = Path(named.anchor)
    parts = list(reversed(named.parent.parts[1:]))
    for _ in range(_MOST_STEPS):
        if not parts:
            break
        at = Path(os.path.normpath(at / parts.pop()))
        if at.is_symlink():
            if at.is_relative_to(top):
                yield at
            parts += reversed(at.readlink().parts)
            at = at.parent
    if (file := Path(os.path.realpath(named.parent), named.name)).is_relative_to(top):
        yield file


def _compared(path: str, before: str | None, after: str | None) -> Unapproved:
    if path == PROSE:
        return Unapproved(path, before, after)
    if Path(path).name != refs.FILE:
        old, new = policy.parse(before, path), policy.parse(after, path)
        return Unapproved(path, before, after, tuple(weakening.of_policy(old, new)))
    parsed = [manifest.parse(text or "", path) for text in (before, after)]
    old_, new_ = (each.fields if isinstance(each, KnowledgeManifest) else None for each in parsed)
    if old_ is None or new_ is None:
        wrong = [str(finding) for found in parsed if not isinstance(found, KnowledgeManifest) for finding in found]
        told = "it was no manifest" if new_ is not None else "; ".join(["it is no manifest", *wrong[-1:]])
        return Unapproved(path, before, after, (told,))
    weaker, changed = weakening.of_manifest(old_, new_), weakening.changed(old_, new_)
    return Unapproved(path, before, after, tuple(weaker), tuple(changed), weakening.unversioned(old_, new_))


def _text(git: Git, commit: str, path: str) -> str | None:
    """A file as text; a symbolic link by where it leads."""
    data = git.blob(f"{commit}:{path}")
    if data is not None:
        return data.decode("utf-8", "replace")
    entry = git.blobs_at(commit, [path]).get(path)
    if entry is None or entry.mode != "120000":
        return None
    return f"a link to {(git.blob(entry.oid) or b'').decode('utf-8', 'replace')}\n"


def bullets(found: tuple[Unapproved, ...], why: str) -> Iterator[str]:
    """What the log says of an approval."""
    if why.strip():
        yield f"reason: {' '.join(why.split())}"
    for each in found:
        how = "removed" if each.after is None else "new" if each.before is None else "changed"
        fields = f": {', '.join(each.changed)}" if each.changed else ""
        yield f"{each.path} {how}{fields}"
        yield from (f"weaker: {words}" for words in each.weaker)
        yield from (each.asked,) * bool(each.asked)


def trailers(found: tuple[Unapproved, ...]) -> tuple[str, ...]:
    return tuple(f"{history.APPROVED}: {each.path} {each.digest}" for each in found)

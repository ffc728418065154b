"""Whether the rules a wiki is kept by were approved: the gate against "Schema poisoning" (AIP-10, Security Considerations).

"KNOWLEDGE.md and AGENTS.md SHOULD be subject to the same governance gate as any contract": both are part of what a model is
told. The manifests KNOWLEDGE.md extends and the policy it binds belong to them, where they lie in the same repository.

Approved is what these files were in the newest commit of curator's that

- says so in a trailer (``Curator-Approved``), which ``curate approve`` makes, or
- took a source in, for it did so by them.

Where there is no such commit yet, what is there holds: nobody has gone by other rules. The record is git's history; who may
write that may approve.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from curator import diff, history
from curator.errors import Conflict, WikiError
from curator.knowledge import manifest, policy, refs, weakening
from curator.knowledge.manifest import Manifest
from curator.repository import Snapshot

PROSE = "AGENTS.md"
UNAPPROVED = "schema_unapproved"
_MOST = 5
"""So many of the weaker points are told in one line."""


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
    if not approved:
        return ()
    found = []
    for path, shown in _gated(snapshot).items():
        before, after = (_text(git.blob(f"{commit}:{path}")) for commit in (approved, snapshot.base))
        if before != after:
            found.append(_compared(shown, before, after))
    return tuple(found)


def check(snapshot: Snapshot) -> None:
    """Raises Conflict when the rules are not approved."""
    if found := pending(snapshot):
        raise Conflict(
            "schema_unapproved", told(found), "'curate status' shows the change, 'curate approve' accepts it"
        )


def told(found: tuple[Unapproved, ...]) -> str:
    """The change in one sentence, what got weaker first."""
    names = " and ".join(each.path for each in found)
    weaker = [words for each in found for words in each.weaker]
    more = f", and {len(weaker) - _MOST} more" if len(weaker) > _MOST else ""
    how = f": {'; '.join(weaker[:_MOST])}{more}" if weaker else ""
    return f"{names} changed and nobody has approved it{how}"


def _approved_in(snapshot: Snapshot) -> str:
    """The newest commit whose rules are approved; empty when there is none."""
    repository = snapshot.repository
    below = ["--", "."] if repository.prefix else []
    names = (f"--grep=^{name}: " for name in (history.APPROVED, history.SOURCE))
    return repository.git.log("-n1", "--format=%H", *names, snapshot.base, *below).strip()


def _gated(snapshot: Snapshot) -> dict[str, str]:
    """The files of the gate: path from the top of the repository, and from the wiki."""
    prefix = snapshot.repository.prefix
    found = {f"{prefix}{name}": name for name in (refs.FILE, PROSE)}
    try:
        workspace = snapshot.workspace()
    except WikiError:
        return found  # what is wrong with it is told where it is read
    top, root = snapshot.repository.git.top.resolve(), snapshot.repository.root
    for path in map(Path, (*workspace.chain, *filter(None, [workspace.merged.governance]))):
        if path.is_relative_to(top):
            found.setdefault(path.relative_to(top).as_posix(), Path(os.path.relpath(path, root)).as_posix())
    return found


def _compared(path: str, before: str | None, after: str | None) -> Unapproved:
    if path == PROSE:
        return Unapproved(path, before, after)
    if Path(path).name != refs.FILE:
        old, new = policy.parse(before, path), policy.parse(after, path)
        return Unapproved(path, before, after, tuple(weakening.of_policy(old, new)))
    parsed = [manifest.parse(text or "", path) for text in (before, after)]
    old_, new_ = (each.fields if isinstance(each, Manifest) else None for each in parsed)
    if old_ is None or new_ is None:
        return Unapproved(path, before, after, ("it was no manifest" if old_ is None else "it is no manifest",))
    weaker, changed = weakening.of_manifest(old_, new_), weakening.changed(old_, new_)
    return Unapproved(path, before, after, tuple(weaker), tuple(changed))


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "replace")


def bullets(found: tuple[Unapproved, ...], why: str) -> Iterator[str]:
    """What the log says of an approval."""
    if why:
        yield f"reason: {why}"
    for each in found:
        how = "removed" if each.after is None else "new" if each.before is None else "changed"
        fields = f": {', '.join(each.changed)}" if each.changed else ""
        yield f"{each.path} {how}{fields}"
        yield from (f"weaker: {words}" for words in each.weaker)


def trailers(found: tuple[Unapproved, ...]) -> tuple[str, ...]:
    return tuple(f"{history.APPROVED}: {each.path} {each.digest}" for each in found)

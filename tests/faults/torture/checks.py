"""What must be so after any fault, once the next command has run."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_LITTER = re.compile(r"^\.curator-.*~$|\.lock$")
_RUNTIME = re.compile(
    r"lock|landing|form\.json|catalogue-\d+\.db(-wal|-shm)?|rescue\.told|spool(/[^/]+)?"
    r"|displaced(/[0-9a-f]{64}-curator-\w+)?|announced(/[0-9a-f]+\.json|/\.[0-9a-f]+\.json\.\d+-\d+)?"
)
"""What may lie in curator's own folder: a spool waits a day for its end, displaced files for two seconds, what a killed
ingest announced for three hours, or until ``doctor --repair`` where it was not finished."""
_SCRATCH = re.compile(r"(blobs|smudged)-\w+(/.*)?|index\.lock|token|\.(journal\.json|token)\.\d+-\d+")
"""What may besides until the next transaction begins: what a killed one was only preparing."""


@dataclass(frozen=True)
class State:
    """All that a user could see of a wiki, and what git says of it."""

    head: str
    status: str
    files: dict[str, bytes]


def git(root: Path, *arguments: str) -> str:
    """git as the wiki's user runs it: what it says, errors too."""
    done = subprocess.run(
        ["git", *arguments], cwd=root, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60
    )
    said = done.stdout.decode("utf-8", "replace").strip()
    return said if done.returncode == 0 else f"exit {done.returncode}: {said}"


def state(root: Path) -> State:
    files = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if ".git" not in path.relative_to(root).parts and path.is_file()
    }
    return State(git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain"), files)


def faults(root: Path, before: State, after: State) -> Iterator[str]:
    """What is wrong with the wiki, which must be as ``before`` or as ``after``. Nothing, when all is well."""
    now = state(root)
    if now.head not in (before.head, after.head):
        yield f"HEAD is neither the old commit nor the new one: {now.head}"
        return
    wanted = before if now.head == before.head else after
    for path in sorted({*now.files, *wanted.files}):
        if now.files.get(path) != wanted.files.get(path):
            yield f"{path} is {_which(path, now, before, after)}"
    if now.status != wanted.status:
        yield f"git status says {now.status!r} instead of {wanted.status!r}"
    if said := _unsound(git(root, "fsck", "--strict", "--no-dangling")):
        yield f"git fsck: {said}"
    yield from litter(root, scratch=True)


def litter(root: Path, *, scratch: bool) -> Iterator[str]:
    """Files that nobody needs any more; git prunes its own objects' temporary files by itself."""
    runtime = root / ".git" / "curator"
    for path in sorted(root.rglob("*")):
        if path != runtime and path.is_relative_to(runtime):
            name = path.relative_to(runtime).as_posix()
            is_litter = not _RUNTIME.fullmatch(name) and not (scratch and _SCRATCH.fullmatch(name))
        else:
            is_litter = _LITTER.search(path.name) is not None
        if is_litter:
            yield f"left behind: {path.relative_to(root).as_posix()}"


def _unsound(said: str) -> str:
    return "; ".join(line for line in said.splitlines() if not line.startswith("notice:"))


def _which(path: str, now: State, before: State, after: State) -> str:
    text = now.files.get(path)
    if text is None:
        return "missing"
    if text in (before.files.get(path), after.files.get(path)):
        return "of the other side"
    return "empty" if not text else "neither the old nor the new text"

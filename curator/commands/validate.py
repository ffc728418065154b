"""``curate validate``: is this wiki conforming? The handshake over what is committed, or over what is staged.

A wiki in a repository is judged as it is in the commit at HEAD, as by every command; one in a plain folder as its files
lie there. What is staged is put into a commit that no branch leads to, so that whatever reads commits can read it, too.
Sources are hashed as they lie in the folder, for git may not keep them at all; one of which other bytes are staged is
hashed as git would write it there.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from curator import manifest
from curator.commands import manifest as views
from curator.errors import ConfigError, WikiError
from curator.filenames import shown
from curator.finding import Finding
from curator.git import Blob, Git, is_inside_repository, records
from curator.handshake import Package, Verdict, shake
from curator.knowledge import refs
from curator.knowledge.effective import Host
from curator.knowledge.overlay import WHITEOUT
from curator.lint import maintenance
from curator.manifest import Manifest
from curator.page import is_page_path
from curator.report import Report
from curator.repository import Repository
from curator.settings import Settings, check_git, check_path, find_root

_STAGED = "what is staged, for curate validate\n"


def run(
    wiki: Path | None,
    paths: Sequence[Path],
    environment: Mapping[str, str],
    *,
    everything: bool = False,
    staged: bool = False,
    index: str = "",
) -> Report:
    """Judge the wikis that ``paths`` lie in, else the one ``wiki`` or the current folder names.

    ``index`` is the index file git has named to the hook that calls. Raises ConfigError.
    """
    roots = roots_of(paths) if paths else [find_root(wiki)]
    verdicts = [judge(root, environment, everything=everything, staged=staged, index=index) for root in roots]
    return _report(verdicts, everything)


def judge(
    root: Path, environment: Mapping[str, str], *, everything: bool = True, staged: bool = False, index: str = ""
) -> Verdict:
    """What the handshake says of the wiki, or the view, in the folder ``root``. Raises ConfigError."""
    place = Path(os.path.realpath(root))
    if not place.is_dir():
        raise ConfigError("not_found", f"there is no folder {str(root)!r}", "name a wiki's folder, or a file in it")
    check_path(place)
    with ExitStack() as open_doors:
        others = open_doors.enter_context(views.Files(worktree=False))
        if _is_in_git(place):
            settings = Settings(place, environment, {})
            repository = _At(place)
            open_doors.enter_context(repository)
            repository.commit = _staged(repository.git, index) if staged else repository.head()
            package = _Committed(settings, repository, others, staged).package()
        elif staged:
            raise ConfigError("not_git", f"{str(root)!r} is not in a git repository", "leave --staged out")
        else:
            package = _plain(place, others)
        return shake(package, everything=everything)


def roots_of(paths: Iterable[Path]) -> list[Path]:
    """The folders with the nearest KNOWLEDGE.md, each once; a folder without any is meant itself, a file is passed over.

    A KNOWLEDGE.md among a wiki's sources is a source.
    """
    found: dict[Path, None] = {}
    for path in paths:
        place = Path(os.path.realpath(path))
        above = (place, *place.parents) if place.is_dir() else place.parents
        holders = [folder for folder in above if (folder / refs.FILE).is_file()]
        holders = [each for each in holders if not any(each.is_relative_to(wiki / "sources") for wiki in holders)]
        if holders:
            found.setdefault(holders[0])
        elif place.is_dir():
            found.setdefault(place)
        elif not os.path.lexists(path) and not place.parent.is_dir():
            raise ConfigError("not_found", f"there is no {str(path)!r}", "name a wiki's folder, or a file in it")
    return list(found)


def _is_in_git(folder: Path) -> bool:
    with suppress(ConfigError):
        check_git()
        return is_inside_repository(folder)
    return False


# -- a repository --------------------------------------------------------------------------------------------------


class _At(Repository):
    """The repository as if HEAD were at ``commit``."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, recovers=False)  # git may be in the middle of the commit whose hook we are
        self.commit: str | None = None

    def head(self) -> str | None:
        return self.commit or super().head()


def _staged(git: Git, index: str) -> str:
    """A commit of what the index holds: HEAD itself when that is the same."""
    env = {"GIT_INDEX_FILE": str(Path(index).absolute())} if index else None
    blobs: list[Blob] = []
    for record in records(git.output("ls-files", "-s", "-z", env=env, folder=git.top)):
        about, _, path = record.partition("\t")
        mode, oid, stage = about.split(" ")
        if stage != "0":
            hint = "finish the merge, then try again"
            raise ConfigError("git_busy", f"{shown(path)} is in an unfinished merge", hint)
        blobs.append(Blob(path, mode, oid))
    git.runtime.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="staged-", dir=git.runtime) as folder:
        scratch = Path(folder, "index")
        git.put_into(scratch, blobs, is_private=True)
        tree = git.write_tree(scratch)
    head = git.commit_of("HEAD")
    if head is not None and git.text("rev-parse", f"{head}^{{tree}}") == tree:
        return head
    return git.commit_tree(tree, head, _STAGED)


@dataclass(frozen=True)
class _Committed:
    """One wiki in one commit."""

    settings: Settings
    repository: _At
    others: views.Files
    is_staged: bool

    def package(self) -> Package:
        root = str(self.repository.root)
        listed = (path.removeprefix(self.prefix) for path in self.blobs if path.startswith(self.prefix))
        return Package(
            root=root,
            files=frozenset(filter(_is_seen, listed)),
            read=lambda path: self._text(self.prefix + path),
            digest=self._digest,
            read_at=self.read_at,
            host=Host(views.is_there),
            views=tuple(f"{self.top}/{path}" for path in self.blobs if _is_view_path(path)),
            pages_of=self._pages_of,
            lints=self._lints,
            algorithms=frozenset(hashlib.algorithms_available),
            pinned=self._pinned() if self.is_staged else Manifest(),
        )

    @property
    def prefix(self) -> str:
        return self.repository.prefix

    @cached_property
    def top(self) -> Path:
        return self.repository.git.top.resolve()

    @cached_property
    def blobs(self) -> dict[str, Blob]:
        """Every plain file of the commit, by its path from the top."""
        commit = self.repository.head()
        found = self.repository.git.tree(commit, "") if commit is not None else ()
        return {blob.path: blob for blob in found if blob.mode.startswith("100")}

    def _text(self, path: str) -> str | None:
        blob = self.blobs.get(path)
        return None if blob is None else _decoded(self.repository.git.blob(blob.oid))

    def read_at(self, path: str) -> str | None:
        """A file of this commit; of another repository's, or of a plain folder, where it is in none of this one."""
        place = Path(path)
        if not place.is_relative_to(self.top) or self._is_other(place):
            return self.others.read(path)
        return self._text(place.relative_to(self.top).as_posix())

    def _is_other(self, place: Path) -> bool:
        """True for a file in a repository within this one."""
        between = [folder for folder in place.parents if folder != self.top and folder.is_relative_to(self.top)]
        return any(os.path.lexists(folder / ".git") for folder in between)

    def _pages_of(self, folder: str) -> frozenset[str]:
        place = Path(folder)
        if not place.is_relative_to(self.top) or self._is_other(place / refs.FILE):
            return self.others.pages(folder)
        below = "" if place == self.top else f"{place.relative_to(self.top).as_posix()}/"
        paths = (path.removeprefix(below) for path in self.blobs if path.startswith(below))
        return frozenset(path for path in paths if is_page_path(path.removesuffix(WHITEOUT)))

    def _digest(self, path: str, algorithm: str) -> str | None:
        blob = self.blobs.get(self.prefix + path)
        data = None if blob is not None and blob.path in self._restaged else _bytes(self.repository.root / path)
        if data is None and blob is not None:
            data = self.repository.git.smudged([blob])[blob.path]
        return None if data is None else hashlib.new(algorithm, data).hexdigest()

    @cached_property
    def _restaged(self) -> frozenset[str]:
        """The sources of which other bytes are staged than lie in the folder."""
        if not self.is_staged:
            return frozenset()
        paths = [path for path in self.blobs if path.startswith(f"{self.prefix}sources/")]
        indexed = self.repository.git.staged(paths)
        others = {path for path in paths if indexed.get(path) != self.blobs[path].oid}
        return frozenset({*others, *self.repository.git.changed(paths)} if paths else ())

    def _pinned(self) -> Manifest:
        git = self.repository.git
        head = git.commit_of("HEAD")
        data = git.blob(f"{head}:{self.prefix}{manifest.PATH}") if head is not None else None
        try:
            return Manifest.parse(_decoded(data) or "")
        except WikiError:
            return Manifest()

    def _lints(self) -> Iterator[Finding]:
        if self.repository.git.commit_of("HEAD") is None:  # there is no history to look at
            yield _not_run("there is no commit yet")
            return
        config = self.settings.config
        limits: Callable[[], tuple[int, int]] = lambda: (config.max_source_bytes, config.max_source_chars)  # noqa: E731
        yield from maintenance.examine(self.repository, self.settings.now(), limits).findings


# -- a plain folder ------------------------------------------------------------------------------------------------


def _plain(root: Path, others: views.Files) -> Package:
    """A wiki that is in no repository. The maintenance pass reads commits, so it is not run, and that is told."""
    files = frozenset(_files_below(root))

    def digest(path: str, algorithm: str) -> str | None:
        data = _bytes(root / path) if path in files else None
        return None if data is None else hashlib.new(algorithm, data).hexdigest()

    return Package(
        root=str(root),
        files=files,
        read=lambda path: _decoded(_bytes(root / path)) if path in files else None,
        digest=digest,
        read_at=others.read,
        host=Host(views.is_there),
        views=tuple(f"{root}/{path}" for path in files if _is_view_path(path)),
        pages_of=others.pages,
        lints=lambda: [
            Finding("lints_not_run", ".", "it is in no git repository, so no lints were run", severity="warn")
        ],
        algorithms=frozenset(hashlib.algorithms_available),
    )


def _not_run(why: str) -> Finding:
    return Finding("lints_not_run", refs.FILE, f"no lints were run: {why}", severity="warn")


def _files_below(root: Path) -> Iterator[str]:
    for at, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            file = Path(at, name)
            if not name.startswith(".") and file.is_file() and not file.is_symlink():
                yield file.relative_to(root).as_posix()


def _is_seen(path: str) -> bool:
    return not any(part.startswith(".") for part in path.split("/"))


def _is_view_path(path: str) -> bool:
    return _is_seen(path) and path.rpartition("/")[2] == refs.FILE and "sources" not in path.split("/")


def _bytes(file: Path) -> bytes | None:
    try:
        return file.read_bytes() if file.is_file() and not file.is_symlink() else None
    except OSError:
        return None


def _decoded(data: bytes | None) -> str | None:
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


# -- what is said --------------------------------------------------------------------------------------------------


def _report(verdicts: Sequence[Verdict], everything: bool) -> Report:
    ok = all(verdict.ok for verdict in verdicts)
    told = {verdict.root: list(_shown(verdict, everything)) for verdict in verdicts}
    data: dict[str, Any] = {
        "status": "valid" if ok else "invalid",
        "pack": verdicts[0].name if len(verdicts) == 1 else None,
        "findings": [finding.as_json() for found in told.values() for finding in found],
        "wikis": [
            {
                "path": verdict.root,
                "pack": verdict.name,
                "status": "valid" if verdict.ok else "invalid",
                "findings": [finding.as_json() for finding in told[verdict.root]],
            }
            for verdict in verdicts
        ],
    }
    lines = [line for verdict in verdicts for line in _lines(verdict, told[verdict.root], everything)]
    return Report(data, tuple(lines or ["no wiki is touched"]), 0 if ok else 1)


def _shown(verdict: Verdict, everything: bool) -> Iterator[Finding]:
    """The first failure; or all, and the warnings, which fail nothing."""
    if everything:
        yield from (finding for finding in verdict.findings if finding.severity != "info")
    elif verdict.first is not None:
        yield verdict.first


def _lines(verdict: Verdict, told: Sequence[Finding], everything: bool) -> Iterator[str]:
    for finding in sorted(told, key=lambda finding: finding.severity != "error"):
        yield f"{finding.severity:<5} {shown(str(finding))}" if everything else shown(str(finding))
        if finding.hint:
            yield f"      {shown(finding.hint)}" if everything else f"  {shown(finding.hint)}"
    failures, warnings = len(verdict.failures), sum(finding.severity == "warn" for finding in verdict.findings)
    if verdict.ok:
        also = f", {warnings} warning{'s' * (warnings != 1)}: curate lint" if warnings else ""
        yield f"valid: {verdict.name}{also}"
    elif everything:
        yield f"invalid: {verdict.name}, {failures} failure{'s' * (failures != 1)}"
    else:
        yield f"invalid: {verdict.name}; --all shows all failures"

"""``curate manifest``: the KNOWLEDGE.md that holds, the chain it comes from, and who set what.

Every file is read as it is in the commit at HEAD of the repository it lies in: that is what an ingest goes by, and an
edit nobody has committed is in force for nobody. Views lie beside their consumers, often outside the wiki's folder or its
repository; so each file's own repository is asked, and a file in a plain folder, which has no commit, is read from the
disk. ``--worktree`` reads all of them from the disk, for looking at an edit before it is committed.

Consumers and dimensions are matters of the machine, not of a commit: ``ws://operators/<slug>`` exists where a folder
``operators/<slug>`` does, in the manifest's folder or one above it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from curator import frontmatter
from curator.errors import ConfigError, WikiError
from curator.filenames import shown
from curator.git import Git, is_inside_repository
from curator.knowledge import effective, refs, schema
from curator.knowledge.chain import Notice
from curator.knowledge.effective import Effective, Host, Refusal, Said
from curator.knowledge.overlay import WHITEOUT, Layer, lay
from curator.page import is_page_path
from curator.report import Report
from curator.settings import Settings, check_git, check_path

_LARGEST = 1_000_000


def run(
    settings: Callable[[], Settings],
    path: Path | None,
    explain: str | None,
    dimensions: Sequence[str],
    worktree: bool,
) -> Report:
    """The manifest at ``path``, or the wiki's own. Raises ConfigError and WikiError when there is none to read."""
    _check(explain, dimensions)
    with ExitStack() as open_doors:
        if path is None:
            repository = open_doors.enter_context(settings().repository)
            path = repository.root
        files = open_doors.enter_context(Files(worktree))
        place = _place(path)
        text = files.read(place)
        if text is None:
            raise _absent(place, worktree)
        found = effective.compose(text, place, files.read, Host(is_there, frozenset(dimensions)))
        if isinstance(found, Refusal):
            return _refused(found)
        found = replace(found, notices=(*found.notices, *_of_pages(found, files)))
    return _told(found, explain)


def _of_pages(found: Effective, files: Files) -> tuple[Notice, ...]:
    """What the views' pages and whiteouts cannot do to the pages of a constraint below them."""
    if not any(each.is_constraint for each in found.manifests[:-1]):
        return ()  # nobody walks through the pages of a big wiki for nothing
    layers = (
        Layer(each.path, files.pages(str(Path(each.path).parent)), each.is_constraint) for each in found.manifests
    )
    return lay(layers).notices


class Files:
    """Reads manifests and policies: from the commit at HEAD of each one's repository, or from the disk."""

    def __init__(self, worktree: bool) -> None:
        self._worktree = worktree
        self._gits: dict[Path, Git | None] = {}

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_: object) -> None:
        for git in filter(None, self._gits.values()):
            git.close()

    def read(self, path: str) -> str | None:
        git = None if self._worktree else self._git(Path(path).parent)
        data = _on_disk(path) if git is None else _committed(git, path)
        try:
            return None if data is None else data.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def pages(self, folder: str) -> frozenset[str]:
        """The pages and whiteouts in a manifest's folder, as paths from there."""
        git = None if self._worktree else self._git(Path(folder))
        paths = _files_on_disk(folder) if git is None else _files_committed(git, folder)
        return frozenset(path for path in paths if is_page_path(path.removesuffix(WHITEOUT)))

    def _git(self, folder: Path) -> Git | None:
        while not folder.is_dir():
            folder = folder.parent
        if folder not in self._gits:
            check_git()
            self._gits[folder] = Git(folder) if is_inside_repository(folder) else None
        return self._gits[folder]


def _committed(git: Git, path: str) -> bytes | None:
    commit = git.commit_of("HEAD")
    return None if commit is None else git.blob(f"{commit}:{_from_top(git, Path(path).parent, Path(path).name)}")


def _files_committed(git: Git, folder: str) -> Iterator[str]:
    commit = git.commit_of("HEAD")
    place = _from_top(git, Path(folder))
    below = "" if place == "." else place
    for blob in git.tree(commit, below) if commit is not None else ():
        if blob.mode.startswith("100"):
            yield blob.path.removeprefix(f"{below}/")


def _from_top(git: Git, folder: Path, name: str = "") -> str:
    return Path(os.path.realpath(folder), name).relative_to(git.top.resolve()).as_posix()


def _files_on_disk(folder: str) -> Iterator[str]:
    for at, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(at, name).relative_to(folder).as_posix() for name in names)


def _on_disk(path: str) -> bytes | None:
    """A plain file, up to a megabyte; None for anything else, a pipe that would keep us waiting among it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        return os.read(descriptor, _LARGEST) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
    finally:
        os.close(descriptor)


def _place(path: Path) -> str:
    """The absolute path of the manifest that ``path`` names, itself or by its folder."""
    place = path / refs.FILE if path.is_dir() else path
    check_path(place)
    return str(Path(os.path.realpath(place.parent), place.name))


def is_there(ref: refs.Consumer | refs.Folder, at: str) -> bool:
    if isinstance(ref, refs.Folder):
        return Path(ref.path).is_dir()
    return any((folder / ref.kind / ref.slug).is_dir() for folder in Path(at).parents)


def _check(explain: str | None, dimensions: Sequence[str]) -> None:
    for written in dimensions:
        if not isinstance(refs.consumer(written, "/"), refs.Dimension):
            raise ConfigError("usage", f"--dimension {written!r} is no dimension", "it is written like region/fr")
    if explain is not None and explain.replace("[", ".").partition(".")[0] not in schema.WORKSPACE.fields:
        names = ", ".join(schema.WORKSPACE.fields)
        raise ConfigError("usage", f"--explain {explain!r}: KNOWLEDGE.md has no such field", f"it has {names}")


def _absent(place: str, worktree: bool) -> WikiError:
    if worktree or not Path(place).is_file():
        return WikiError("schema_missing", f"there is no {place!r}", "name a KNOWLEDGE.md or its folder")
    hint = "commit it, or use --worktree to read files as they lie"
    return WikiError("schema_missing", f"{place!r} is not committed", hint)


def _refused(refusal: Refusal) -> Report:
    data: dict[str, Any] = {"effective": None, "chain": [], "warnings": []}
    findings = [finding.as_json() for finding in refusal.findings]
    return Report({**data, "findings": findings}, tuple(map(str, refusal.findings)), 1)


def _told(found: Effective, explain: str | None) -> Report:
    data: dict[str, Any] = {
        "effective": dict(found.fields),
        "chain": [
            {
                "path": each.path,
                "name": each.name,
                "version": each.version,
                "title": each.fields["title"],
                "description": each.fields["description"],
                "mode": each.mode,
                "layer": "constraint" if each.is_constraint else "lens",
            }
            for each in found.manifests
        ],
        "warnings": [{"code": each.code, "message": each.message, "at": each.at} for each in found.notices],
        "governance": found.governance or None,
        "findings": [],
    }
    if explain is None:
        return Report(data, (*_comments(data), *frontmatter.dump(found.fields).rstrip("\n").split("\n")))
    said = found.explain(explain)
    data["explain"] = [
        {"field": each.field, "at": each.at, "value": each.value, "standing": each.standing} for each in said
    ]
    return Report(data, tuple(_explained(said) or [f"no manifest of the chain sets {explain}"]))


def _comments(data: dict[str, Any]) -> Iterator[str]:
    """What is not the manifest, as YAML's comments: the output is one YAML document."""
    yield "# chain, the root first:"
    for each in data["chain"]:
        about = f"{each['mode']}, {each['layer']}" if each["layer"] != "lens" else each["mode"]
        yield f"#   {each['path']}  {each['name']} {each['version']} ({about})"
    for each in data["warnings"]:
        yield f"# {each['code']}: {each['message']}"


def _explained(said: Sequence[Said]) -> list[str]:
    """Each field once, below it who said what of it, the last word first."""
    lines: list[str] = []
    for field in dict.fromkeys(each.field for each in said):
        lines.append(shown(field))
        words = [each for each in said if each.field == field]
        lines += (f"  {each.standing:<13}{_one_line(each.value)}  {each.at}" for each in reversed(words))
    return lines


def _one_line(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return shown(" ".join(text.split()))

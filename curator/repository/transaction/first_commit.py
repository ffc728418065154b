"""The first commit of a wiki: all its files or none, on top of whatever the branch has."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path, PurePosixPath

from curator.errors import ConfigError, Conflict
from curator.repository import git
from curator.repository.git import Blob, Git, is_inside_repository
from curator.repository.runtime.runtime import Runtime
from curator.repository.transaction import preconditions
from curator.repository.transaction.git_settings import GitSettings, attributes
from curator.repository.transaction.preconditions import Target
from curator.system import atomic
from curator.system.filenames import printable
from curator.system.trusted_folders import trust

FOLDERS = ("sources", "entities", "concepts", "summaries")
_MAY_BE_THERE = (".gitignore", *(f"{folder}/.gitkeep" for folder in FOLDERS))
"""What is left as it is where it is there already."""
_PORTION = 32_000_000
_AT_ONCE = 500


def missing_files(folder: Path, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that are to be made. Raises ConfigError when something of the user's is in the place of one."""
    _check_room(folder, files)
    return {path: content for path, content in files.items() if not os.path.lexists(folder / path)}


def create_wiki(folder: Path, files: Mapping[str, bytes], message: str, programs: Collection[str] = ()) -> str:
    """Make a wiki of ``files`` in ``folder``, a repository too where there is none; gives the commit.

    ``programs`` are the paths of the files that can be run.

    Raises ConfigError or Conflict rather than change anything of the user's.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    is_new = False
    try:
        atomic.make_folder(folder)
        is_new = not git.is_inside_repository(folder)
        if is_new:
            git.initialise(folder)
        commit = _first_commit(folder, files, message, programs)
        _remember(folder)
        return commit
    except BaseException:
        if is_new:
            shutil.rmtree(folder / ".git", ignore_errors=True)
        _remove_empty(missing)
        raise


def _remember(folder: Path) -> None:
    """Whoever makes a wiki in a repository trusts it, unless there are settings in it that a stranger may have brought."""
    with closing(Git(folder)) as repository, suppress(OSError):
        if not (repository.runtime / "curator.toml").exists():
            trust(repository.identity, os.environ)


def _check_room(folder: Path, files: Mapping[str, bytes]) -> None:
    """Raises ConfigError when something of the user's is where a file or a folder of the wiki has to be."""
    if os.path.lexists(folder) and not folder.is_dir():
        raise ConfigError("already_there", f"{str(folder)!r} is no folder", "choose another name")
    taken = [path for path in files if path not in _MAY_BE_THERE and os.path.lexists(folder / path)]
    taken += [f"{name} (no folder)" for name in FOLDERS if _is_no_folder(folder / name)]
    if taken:
        hint = "choose an empty folder, or move away what is there"
        if "KNOWLEDGE.md" in taken:
            place = shlex.quote(printable(folder))
            hint = f"it is a wiki already: curate --wiki {place} status"
            if not is_inside_repository(folder):
                hint = f"it is a wiki that git does not know: git -C {place} init, then add -A and commit"
        seen = f"{', '.join(taken)} already in {str(folder)!r}; nothing was changed"
        raise ConfigError("already_there", seen, hint)


def _is_no_folder(path: Path) -> bool:
    return path.is_symlink() or (path.exists() and not path.is_dir())


def _first_commit(folder: Path, files: Mapping[str, bytes], message: str, programs: Collection[str]) -> str:
    """Commit exactly the new files on top of whatever the branch has, and write them."""
    with closing(Git(folder)) as repository:
        branch = _free_branch(repository)
        Runtime(repository.runtime).make()
        base = repository.commit_of("HEAD")
        relative = folder.relative_to(repository.top.resolve()).as_posix()
        prefix = "" if relative == "." else relative + "/"
        _check_place(repository, base, prefix, files)
        runs = {prefix + path for path in programs}
        stored = (blob for portion in _portions(files) for blob in _stored(repository, prefix, portion))
        blobs = [blob._replace(mode="100755") if blob.path in runs else blob for blob in stored]
        scratch = repository.runtime / "index.init"
        scratch.unlink(missing_ok=True)
        if base:
            repository.read_tree(scratch, base)
        repository.put_into(scratch, blobs, is_private=True)
        commit = repository.commit_tree(
            repository.write_tree(scratch), base, message, sign=GitSettings.of(repository).signs
        )
        _write(folder, prefix, blobs, partial(repository.smudged, index=scratch))
        scratch.unlink()
        if not repository.move_branch(branch, commit, base, f"curator: {message.splitlines()[0]}"):
            _remove(folder, files)
            raise Conflict("branch_moved", "the branch moved meanwhile; nothing was changed", "try again")
        repository.put_into(repository.directory / "index", blobs)
    return commit


def _check_place(repository: Git, base: str | None, prefix: str, files: Iterable[str]) -> None:
    """Raises ConfigError or Conflict where git would not keep the wiki's files as what they are."""
    if prefix and repository.ignores(prefix):
        raise ConfigError(
            "folder_ignored",
            f"the repository in {str(repository.top)!r} ignores {prefix!r}, so a wiki there would be no part of it",
            f"give the wiki a repository of its own: git init {shlex.quote(printable(repository.folder))}",
        )
    paths = [prefix + path for path in files]
    found = repository.entries_at(base, paths) if base is not None else {}
    targets = [Target(path, path.removeprefix(prefix), found.get(path)) for path in paths]
    preconditions.in_the_tree(targets, found)
    pages = [path for path in (*targets, *_some_pages(prefix)) if path.path.endswith((".md", ".json"))]
    preconditions.in_the_attributes(pages, attributes(repository, [page.path for page in pages]), frozenset())


def _some_pages(prefix: str) -> list[Target]:
    """A page in each folder, as there will be, for asking git about."""
    paths = [f"{folder}/page.md" for folder in FOLDERS if folder != "sources"]
    return [Target(prefix + path, path, None) for path in paths]


def _free_branch(repository: Git) -> str:
    """The branch to commit to. Raises Conflict when the user is in the middle of something."""
    branch = repository.free_branch(in_wiki=False)
    lock = repository.directory / "index.lock"
    if lock.exists():
        hint = f"wait for it to end; if none is running, remove {str(lock)!r}"
        raise Conflict("index_locked", "another git command holds index.lock", hint)
    return branch


def _portions(files: Mapping[str, bytes]) -> Iterator[dict[str, bytes]]:
    """The files, a few at a time: a big wiki is not held in memory as a whole."""
    portion: dict[str, bytes] = {}
    size = 0
    for path in files:
        portion[path] = files[path]
        size += len(portion[path])
        if size > _PORTION:
            yield portion
            portion, size = {}, 0
    if portion:
        yield portion


def _stored(repository: Git, prefix: str, portion: Mapping[str, bytes]) -> Iterator[Blob]:
    oids = repository.store(list(portion.values()))
    return (Blob(prefix + path, "100644", oid) for path, oid in zip(portion, oids, strict=True))


def _write(
    folder: Path, prefix: str, blobs: Sequence[Blob], smudged: Callable[[Sequence[Blob]], dict[str, bytes]]
) -> None:
    """Write all files, or none."""
    try:
        for start in range(0, len(blobs), _AT_ONCE):
            some = blobs[start : start + _AT_ONCE]
            for path, content in smudged(some).items():
                _write_file(folder / path.removeprefix(prefix), content)
            for blob in some:
                if blob.mode == "100755":
                    _let_run(folder / blob.path.removeprefix(prefix))
    except BaseException:
        _remove(folder, [blob.path.removeprefix(prefix) for blob in blobs])
        raise


def _write_file(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _let_run(path: Path) -> None:
    """Who may read it may run it, as git does it."""
    may = path.stat().st_mode
    path.chmod(may | (may & 0o444) >> 2)


def _remove(folder: Path, files: Iterable[str]) -> None:
    for path in files:
        (folder / path).unlink(missing_ok=True)
    folders = {folder / above for path in files for above in PurePosixPath(path).parents if above.name}
    _remove_empty(sorted(folders, reverse=True))


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()

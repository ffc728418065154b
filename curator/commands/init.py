"""``curate init``: a wiki a newcomer can use at once, in its first commit."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from string import Template

from curator import frontmatter, git, index, lastlook, log, manifest
from curator.errors import ConfigError, Conflict
from curator.filenames import shown
from curator.git import Blob, Git
from curator.lastlook import Target
from curator.manifest import Manifest
from curator.report import Report
from curator.settings import check_git, check_path
from curator.slug import slugify
from curator.ways import Ways, attributes

_TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
_FOLDERS = ("sources", "entities", "concepts", "summaries")
_IGNORED = ".obsidian/workspace*\n.trash/\n.DS_Store\n.curator-*~\n"
_LONGEST_TITLE = 200
_MAY_BE_THERE = (".gitignore", *(f"{folder}/.gitkeep" for folder in _FOLDERS))
"""What is left as it is where it is there already."""


def run(folder: Path, title: str | None, dry_run: bool = False) -> Report:
    """Make the wiki in ``folder``. Raises ConfigError or Conflict rather than change anything of the user's."""
    check_git()
    check_path(folder)
    folder = Path(os.path.realpath(folder))
    title = _one_line(title or "") or _one_line(re.sub(r"[-_]+", " ", folder.name).title()) or "Wiki"
    if len(title) > _LONGEST_TITLE:
        raise ConfigError(
            "title_too_long", f"the title has {len(title)} characters, 200 at most", "give a shorter --title"
        )
    files = contents(title)
    _check_room(folder, files)
    files = {path: text for path, text in files.items() if not os.path.lexists(folder / path)}
    if dry_run:
        listed = tuple(f"would make {shown(folder / path)}" for path in files)
        return Report({"wiki": str(folder), "commit": None, "created": list(files)}, listed)
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    is_new = False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_new = not git.is_inside_repository(folder)
        if is_new:
            git.initialise(folder)
        commit = _first_commit(folder, title, files)
    except BaseException:
        if is_new:
            shutil.rmtree(folder / ".git", ignore_errors=True)
        _remove_empty(missing)
        raise
    lines = (
        f"{title}: a new wiki in {shown(folder)}",
        f"commit {commit[:12]}",
        "",
        "next: put a file into sources/ and run 'curate ingest sources/FILE'",
    )
    return Report({"wiki": str(folder), "commit": commit, "created": list(files)}, lines)


def contents(title: str) -> dict[str, str]:
    """The files of a new wiki, by path."""
    name = re.sub(r"[^a-z0-9-]", "", slugify(title)).strip("-") or "wiki"
    name = name if name[0].isalpha() and len(name) > 1 else f"wiki-{name}"
    description = f"What {title} knows, kept from the sources in sources/ by curator."
    head = frontmatter.dump({"title": title, "description": description}).rstrip()
    names = {"title": title, "name": name, "head": head}
    filled = {
        path: Template((_TEMPLATES / path).read_text("utf-8")).substitute(names)
        for path in ("KNOWLEDGE.md", "AGENTS.md")
    }
    return {
        **filled,
        index.PATH: index.render([]),
        log.PATH: log.HEADING,
        manifest.PATH: Manifest().dumps(),
        ".gitignore": _IGNORED,
        **{f"{folder}/.gitkeep": "" for folder in _FOLDERS},
    }


def _one_line(title: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in title).split())


def _check_room(folder: Path, files: Mapping[str, str]) -> None:
    """Raises ConfigError when something of the user's is where a file or a folder of the wiki has to be."""
    if os.path.lexists(folder) and not folder.is_dir():
        raise ConfigError("already_there", f"{str(folder)!r} is no folder", "choose another name")
    taken = [path for path in files if path not in _MAY_BE_THERE and os.path.lexists(folder / path)]
    taken += [f"{name} (no folder)" for name in _FOLDERS if _is_no_folder(folder / name)]
    if taken:
        hint = "choose an empty folder, or move away what is there"
        if "KNOWLEDGE.md" in taken:
            hint = f"it is a wiki already: curate --wiki {shlex.quote(shown(folder))} status"
        seen = f"{', '.join(taken)} already in {str(folder)!r}; nothing was changed"
        raise ConfigError("already_there", seen, hint)


def _is_no_folder(path: Path) -> bool:
    return path.is_symlink() or (path.exists() and not path.is_dir())


def _first_commit(folder: Path, title: str, files: Mapping[str, str]) -> str:
    """Commit exactly the new files on top of whatever the branch has, and write them."""
    with closing(Git(folder)) as repository:
        branch = _free_branch(repository)
        repository.runtime.mkdir(parents=True, exist_ok=True)
        base = repository.commit_of("HEAD")
        relative = folder.relative_to(repository.top.resolve()).as_posix()
        prefix = "" if relative == "." else relative + "/"
        _check_place(repository, base, prefix, files)
        oids = repository.store([text.encode("utf-8") for text in files.values()])
        blobs = [Blob(prefix + path, "100644", oid) for path, oid in zip(files, oids, strict=True)]
        scratch = repository.runtime / "index.init"
        scratch.unlink(missing_ok=True)
        if base:
            repository.read_tree(scratch, base)
        repository.put_into(scratch, blobs, is_private=True)
        message = f"init: {title}\n"
        commit = repository.commit_tree(repository.write_tree(scratch), base, message, sign=Ways.of(repository).signs)
        texts = repository.smudged(blobs, scratch)
        scratch.unlink()
        _write(folder, {path: texts[prefix + path] for path in files})
        if not repository.move_branch(branch, commit, base, f"curator: init {title}"):
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
            f"give the wiki a repository of its own: git init {shlex.quote(shown(repository.folder))}",
        )
    paths = [prefix + path for path in files]
    found = repository.entries_at(base, paths) if base is not None else {}
    targets = [Target(path, path.removeprefix(prefix), found.get(path)) for path in paths]
    lastlook.in_the_tree(targets, found)
    pages = [path for path in (*targets, *_some_pages(prefix)) if path.path.endswith((".md", ".json"))]
    lastlook.in_the_attributes(pages, attributes(repository, [page.path for page in pages]), frozenset())


def _some_pages(prefix: str) -> list[Target]:
    """A page in each folder, as one will be."""
    paths = [f"{folder}/page.md" for folder in _FOLDERS if folder != "sources"]
    return [Target(prefix + path, path, None) for path in paths]


def _free_branch(repository: Git) -> str:
    """The branch to commit to. Raises Conflict when the user is in the middle of something."""
    branch = repository.branch()
    if branch is None:
        raise Conflict("detached_head", "HEAD is detached: there is no branch to commit to", "git switch <branch>")
    if busy := repository.in_progress():
        raise Conflict("git_busy", f"{busy} is in progress", "finish or abort it first")
    lock = repository.directory / "index.lock"
    if lock.exists():
        hint = f"wait for it to end; if none is running, remove {str(lock)!r}"
        raise Conflict("index_locked", "another git command holds index.lock", hint)
    return branch


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """All files or none."""
    try:
        for path, content in files.items():
            _write_file(folder / path, content)
    except BaseException:
        _remove(folder, files)
        raise


def _write_file(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _remove(folder: Path, files: Iterable[str]) -> None:
    for path in files:
        (folder / path).unlink(missing_ok=True)
    _remove_empty(folder / name for name in _FOLDERS)


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()

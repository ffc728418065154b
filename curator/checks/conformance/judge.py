"""The verdict on the wiki in a folder: as committed, as staged, or as its files lie there, as ever in a plain folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from curator.checks.conformance import Verdict, of_folder, validate
from curator.checks.conformance.kept_verdict import Asked
from curator.checks.conformance.of_commit import CommittedWiki
from curator.errors import ConfigError
from curator.repository.git import Git, is_inside_repository
from curator.repository.manifest_files import Commit, ManifestFiles
from curator.repository.pinned import PinnedRepository, commit_of_index, commit_of_worktree
from curator.repository.settings import Settings, check_git, check_path


def judge(
    root: Path,
    environment: Mapping[str, str],
    *,
    everything: bool = True,
    staged: bool = False,
    worktree: bool = False,
    index: str = "",
) -> Verdict:
    """Whether the wiki, or the view, is conforming that lies in the folder ``root``. Raises ConfigError."""
    place = Path(os.path.realpath(root))
    if not place.is_dir():
        raise ConfigError("not_found", f"there is no folder {str(root)!r}", "name a wiki's folder, or a file in it")
    check_path(place)
    with ExitStack() as resources:
        if is_in_git(place):
            repository = PinnedRepository(place)
            resources.enter_context(repository)
            if worktree:
                repository.pinned = commit_of_worktree(repository.git, repository.prefix)
            else:
                repository.pinned = commit_of_index(repository.git, index) if staged else repository.head()
            own = Commit(repository.git, repository.pinned) if repository.pinned is not None else None
            files = resources.enter_context(ManifestFiles(own=own))
            committed = CommittedWiki(Settings(place, environment, {}), repository, Asked(files), resources, staged)
            return committed.verdict(everything=everything)
        if staged:
            raise ConfigError("not_git", f"{str(root)!r} is not in a git repository", "leave --staged out")
        wiki = of_folder.wiki_in_folder(place, resources.enter_context(ManifestFiles()))
        return validate(wiki, everything=everything)


def was_in_git(path: Path) -> bool:
    """True for a file of which git knows that it was there once."""
    place = Path(os.path.realpath(path))
    folder = next(each for each in place.parents if each.is_dir())
    if not is_in_git(folder):
        return False
    with closing(Git(folder)) as git:
        name = place.relative_to(git.top.resolve()).as_posix()
        return bool(git.log("-n1", "--format=%H", "--", name).strip() or git.staged([name]))


def is_in_git(place: Path) -> bool:
    """True for a folder of a git repository, where there is a git that is good enough to ask."""
    with suppress(ConfigError):
        check_git()
        return is_inside_repository(place)
    return False

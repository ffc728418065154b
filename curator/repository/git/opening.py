"""Whether there is a repository, and a git to ask it with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from curator.errors import ConfigError
from curator.system.git_environment import scrub_environment

if TYPE_CHECKING:
    from git import Repo


def opened(folder: Path) -> Repo:
    """The repository that ``folder`` is in. Raises ConfigError."""
    import git

    scrub_environment()
    try:
        return git.Repo(folder, search_parent_directories=True, expand_vars=False)
    except git.NoSuchPathError as error:
        raise ConfigError("not_found", f"there is no folder {str(folder)!r}") from error
    except git.InvalidGitRepositoryError as error:
        raise ConfigError(
            "not_git",
            f"{str(folder)!r} is not in a git repository",
            "run 'git init' in the wiki, or 'curate init' for a new one",
        ) from error
    except git.GitCommandNotFound as error:
        raise ConfigError("git_missing", "there is no git on PATH", "install git 2.34 or newer") from error


def initialise(folder: Path) -> None:
    """``git init`` with a branch called main."""
    import git

    scrub_environment()
    git.Git(folder).execute(["git", "init", "-q", "-b", "main"])


def is_inside_repository(folder: Path) -> bool:
    try:
        opened(folder).close()
    except ConfigError:
        return False
    return True

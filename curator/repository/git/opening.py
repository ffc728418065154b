"""Whether there is a repository, and a git to ask it with.

A repository counts only when it is reached through ``.git``, a directory or a file that names one: no commit can bring
that. git itself also takes a folder for a repository that merely looks like a git directory, which anybody can commit,
with a configuration that runs programs and a ``curator/curator.toml`` in it.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from curator.errors import ConfigError
from curator.system.git_environment import scrub_environment

if TYPE_CHECKING:
    from git import Git as Runner

_NAMES_ONE = re.compile(rb"gitdir: ([^\0]*[^\0\r\n])[\r\n]*")
_LOADING = Lock()
"""Another thread must not import what is half there."""
_HEAD = re.compile(rb"ref:\s*refs/|[0-9a-f]{40}")


def opened(folder: Path) -> Runner:
    """What runs git in ``folder``, which is in a repository. Raises ConfigError."""
    scrub_environment()
    if not folder.is_dir():
        raise ConfigError("not_found", f"there is no folder {str(folder)!r}")
    if git_directory(folder) is None:
        raise ConfigError(
            "not_git",
            f"{str(folder)!r} is not in a git repository",
            "run 'git init' in the wiki, or 'curate init' for a new one",
        )
    return _runner()(folder)


def not_started() -> type[Exception]:
    """What the runner raises where the system did not start git: its folder is gone, say."""
    error: type[Exception] = sys.modules[_runner().__module__].GitCommandNotFound
    return error


def initialise(folder: Path) -> None:
    """``git init`` with a branch called main."""
    scrub_environment()
    _runner()(folder).execute(["git", "init", "-q", "-b", "main"])


@cache
def _runner() -> type[Runner]:
    """GitPython's class that runs git, without the rest of the package, which nothing here asks for: 35 modules more, and
    two gits that tell their version, would take a tenth of a short command."""
    with _LOADING:
        spec = find_spec("git")
        if "git" not in sys.modules and spec is not None:
            sys.modules["git"] = module_from_spec(spec)  # not run: its modules are found by it
            try:
                from git.cmd import Git
            finally:
                del sys.modules["git"]  # whoever imports the package has it whole
            return Git
    from git import Git

    return Git


def is_inside_repository(folder: Path) -> bool:
    """Raises ConfigError for a folder that git takes for a repository and that is not reached through ``.git``."""
    return git_directory(folder) is not None


def git_directory(folder: Path) -> Path | None:
    """The git directory of the repository that ``folder`` is in; None where there is none.

    Raises ConfigError for a git directory on the way that is not called ``.git``: git would go by what it says.
    """
    here = folder.resolve()
    for level in (here, *here.parents):
        if (found := _behind(level / ".git")) is not None:
            return found
        if _is_git_directory(level):
            hint = "if you know whose it is, make a clone of it with 'git clone', and work there"
            raise ConfigError("bare_repository", f"{str(level)!r} is a git directory itself: it is not used", hint)
    return None


def check_reached(folder: Path, directory: Path) -> None:
    """Raise ConfigError unless ``directory``, which git goes by in ``folder``, is the one that ``.git`` leads to."""
    if git_directory(folder) != directory.resolve():
        hint = "see what 'git rev-parse --git-dir' says there"
        said = f"git goes by {str(directory)!r} in {str(folder)!r}, which is not what .git leads to: it is not used"
        raise ConfigError("bare_repository", said, hint)


def common_directory(folder: Path) -> Path | None:
    """The git directory with the configuration of the repository that ``folder`` is in: linked work trees share it."""
    if (directory := git_directory(folder)) is None:
        return None
    common = directory / "commondir"
    named = common.read_text("utf-8", "surrogateescape").rstrip("\r\n") if common.is_file() else "."
    return (directory / named).resolve()


def _behind(entry: Path) -> Path | None:
    """The git directory that ``.git`` is, or names."""
    try:
        if entry.is_file():
            named = _NAMES_ONE.fullmatch(entry.read_bytes())
            return (
                None if named is None else (entry.parent / Path(named[1].decode("utf-8", "surrogateescape"))).resolve()
            )
        return entry.resolve() if _is_git_directory(entry) else None
    except OSError:
        return None


def _is_git_directory(folder: Path) -> bool:
    """As git judges it: by HEAD, objects and refs, the latter two where ``commondir`` says they are."""
    try:
        head, common = folder / "HEAD", folder / "commondir"
        if head.is_symlink():
            is_head = str(head.readlink()).startswith("refs/")
        else:
            with head.open("rb") as file:
                is_head = _HEAD.match(file.read(256)) is not None
        shared = folder / common.read_text("utf-8", "surrogateescape").rstrip("\r\n") if common.exists() else folder
        return is_head and (shared / "objects").exists() and (shared / "refs").exists()
    except (OSError, ValueError):
        return False

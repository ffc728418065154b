"""What a repository's own settings could run here, or lead to, before its user has said that they may.

git goes by the configuration in a repository as by its user's own, and a repository can come in an archive or lie in a
folder that others write to. What names a program counts only where the user trusts the repository. Hooks, the monitor of
the file system, pagers and remotes are not among it: curator's git runs none of these, whoever names them. Nor is
what the user's own configuration names, such as the filters of git-lfs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from curator.errors import NotTrusted
from curator.repository.git.opening import git_directory
from curator.system.filenames import printable
from curator.system.trusted_folders import is_trusted

_OWN = ("local", "worktree")
_RUNS = re.compile(
    r"filter\..+\.(?:clean|smudge|process)"
    r"|diff\.(?:external|.+\.(?:command|textconv))"
    r"|gpg\.(?:program|.+\.program|ssh\.defaultkeycommand)"
    r"|hook\..+\.command"
    r"|include\.path|includeif\..+\.path"
)
"""Keys by which git runs a program, or reads on in another file, in what curator has it do."""
_MOST = 5


def check_trusted(directory: Path, found: Iterable[str]) -> None:
    """Raise NotTrusted when something was ``found`` in the repository with this git directory and its user does not
    trust it."""
    listed = list(found)
    if not listed or is_trusted(directory, os.environ):
        return
    import shlex

    shown = "\n".join(f"  {each}" for each in (*listed[:_MOST], *(["..."] if len(listed) > _MOST else [])))
    folder = directory.parent if directory.name == ".git" else directory  # what people call the repository
    said = (
        f"{printable(folder)} brings settings of its own that can run programs or lead elsewhere, and you have not said"
    )
    hint = (
        f"look at them; if they are yours, or you trust who wrote them: curate trust {shlex.quote(printable(folder))}"
    )
    raise NotTrusted(f"{said} that you trust it:\n{shown}", hint, directory)


def running_settings(listed: str) -> Iterator[str]:
    """Of ``git config --list -z --show-scope``: what the repository itself names that runs or reads on."""
    fields = listed.split("\0")
    for scope, setting in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = setting.partition("\n")
        if scope in _OWN and value and _RUNS.fullmatch(key):
            yield printable(f"{key} = {value!r}")


def leading_elsewhere(directory: Path, common: Path, top: Path, runtime: Path) -> Iterator[str]:
    """Where the repository leads out of its own folders: another work tree, borrowed objects, links to write through."""
    if git_directory(top) != directory.resolve():
        yield printable(f"core.worktree leads to {str(top)!r}")
    alternates = common / "objects" / "info" / "alternates"
    if alternates.is_file():
        yield printable(f"{alternates.relative_to(common)} borrows the objects of another repository")

    for link in _links((directory, common, common / "curator", runtime, *runtime.glob("wikis/*"))):
        yield printable(f"{link.name} in {link.parent} is a link to {str(link.readlink())!r}")


def _links(folders: Iterable[Path]) -> Iterator[Path]:
    """Symbolic links right in the folders, and on the way to a record of what branches were at, which git appends to."""
    for folder in dict.fromkeys(folders):
        if folder.is_symlink():
            yield folder
        if folder.is_dir():
            with os.scandir(folder) as entries:
                yield from (Path(entry.path) for entry in entries if entry.is_symlink() and entry.name != "HEAD")
        logs = folder / "logs"
        if logs.is_dir():
            for at, below, files in os.walk(logs):
                yield from (path for name in (*below, *files) if (path := Path(at, name)).is_symlink())

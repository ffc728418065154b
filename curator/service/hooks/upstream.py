"""Where the current branch is pushed to: where ``git push`` would push it, but never with force.

- A refspec in ``remote.<name>.push`` says where to; its ``+`` is ignored, and so is ``remote.<name>.mirror``.
- Else a remote that is for pushing only (``branch.<name>.pushRemote``, ``remote.pushDefault``) gets a branch of the same
  name.
- Else the branch goes to its upstream; where that has another name, only if ``push.default`` is ``upstream``: a branch
  that was made from ``origin/main`` must not be pushed to ``main`` by default.

Three small git commands tell; none of them contacts the remote. ``@{push}`` would not do: git has no answer for a remote
that is given as an address, nor, with the default ``push.default``, for one that is for pushing only.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from curator.errors import GitError
from curator.repository.git.opening import common_directory
from curator.service.hooks.command import redacted
from curator.system import git_environment
from curator.system.filenames import printable
from curator.system.trusted_folders import is_trusted

_SECONDS = 5.0
_SETTINGS = r"^(push\.default|core\.sshcommand|branch\..*\.(remote|merge)|remote\..*\.(pushurl|url|mirror))$"
_BRANCH_FORMAT = "%(objectname)%00%(push:remotename)%00%(push:remoteref)%00%(push)%00%(push:track,nobracket)"
_HEADS = "refs/heads/"


class PushError(GitError):
    """Nothing was pushed. ``lasting``: a person has to act before it can succeed."""

    def __init__(self, code: str, message: str, hint: str, *, lasting: bool) -> None:
        super().__init__(code, redacted(message), redacted(hint))
        self.lasting = lasting


@dataclass(frozen=True)
class PushTarget:
    """Which branch is pushed to which branch of which remote."""

    branch: str
    """With ``refs/heads/``, as is ``target``."""
    commit: str
    remote: str
    """A name, or an address."""
    target: str
    own_ssh: bool = False
    """True when git's configuration says how ssh is called."""
    behind: int | None = None
    """How many commits the remote lacks, as far as is known here; None where nothing is known."""

    @property
    def refspec(self) -> str:
        return f"{self.branch}:{self.target}"

    @property
    def target_name(self) -> str:
        return self.target.removeprefix(_HEADS)


def push_target(root: Path) -> PushTarget | None:
    """The target of the current branch of the repository at ``root``; None before its first commit. Raises PushError.

    Remotes, how they are reached and what runs at their end are all said by the repository's own configuration.
    """
    directory = common_directory(root)
    if directory is not None and not is_trusted(directory, os.environ):
        said = "you have not said that you trust this repository, whose own configuration says where a push goes"
        raise PushError("push_not_trusted", said, f"curate trust {shlex.quote(printable(root))}", lasting=True)
    branch = _git(root, "symbolic-ref", "--quiet", "HEAD").strip()
    if not branch.startswith(_HEADS):
        said = "HEAD is detached: no branch is checked out in the wiki"
        raise PushError("push_detached", said, "end the rebase or bisect, or 'git switch' to the branch", lasting=False)
    about = _git(root, "for-each-ref", f"--format={_BRANCH_FORMAT}", branch).rstrip("\n")
    if not about:
        return None
    commit, remote, mapped, tracking, track = about.split("\0")
    config = _config(root)
    name = branch.removeprefix(_HEADS)
    own_ssh = bool(config.get("core.sshcommand"))
    target = mapped or _target(name, remote, config)
    if remote == ".":
        said = f"the upstream of the branch {name!r} is a branch of this same repository"
        raise PushError("push_upstream_local", said, f"name one of a remote: git push -u REMOTE {name}", lasting=True)
    if not target.startswith(_HEADS):
        said = f"remote.{remote}.push sends the branch {name!r} to {target!r}, which is no branch"
        raise PushError("push_no_branch", said, "push there yourself, and set push = false", lasting=True)
    return PushTarget(branch, commit, remote, target, own_ssh, _behind(branch, remote, tracking, track, config))


def _target(name: str, remote: str, config: dict[str, list[str]]) -> str:
    """The branch on the remote, where no refspec names it."""
    upstream = config.get(f"branch.{name}.remote", ["origin"])[-1]
    merge = config.get(f"branch.{name}.merge", [""])[0]
    same, how = f"{_HEADS}{name}", config.get("push.default", ["simple"])[-1]
    if remote and (remote != upstream or how in ("current", "matching")):
        return same
    if not remote or not merge:
        said = f"the branch {name!r} has no upstream, so there is nowhere to push it to"
        raise PushError("push_no_upstream", said, f"run 'git push -u origin {name}' in the wiki, once", lasting=True)
    if merge != same and how not in ("upstream", "tracking"):
        said = f"the upstream of the branch {name!r} has another name: {merge.removeprefix(_HEADS)!r} on {remote!r}"
        hint = f"'git config push.default upstream' if it is to go there, else 'git push -u {remote} {name}'"
        raise PushError("push_upstream_differs", said, hint, lasting=True)
    return merge


def _behind(branch: str, remote: str, tracking: str, track: str, config: dict[str, list[str]]) -> int | None:
    """How many commits the remote lacks, by its tracking branch."""
    addresses = config.get(f"remote.{remote}.pushurl") or config.get(f"remote.{remote}.url", [])
    # It follows one of several addresses only; and in a mirror it may follow another branch, or be the branch itself.
    mirror = f"remote.{remote}.mirror" in config
    if mirror or len(addresses) > 1 or tracking in ("", branch) or track == "gone":
        return None
    ahead = re.search(r"ahead (\d+)", track)
    return int(ahead[1]) if ahead else 0


def _config(root: Path) -> dict[str, list[str]]:
    """The settings that matter here, in git's order: of several values of a single-valued one the last counts."""
    found: dict[str, list[str]] = {}
    for entry in _git(root, "config", "--null", "--get-regexp", _SETTINGS).split("\0")[:-1]:
        key, _, value = entry.partition("\n")
        found.setdefault(key, []).append(value)
    return found


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *git_environment.EXPLICITLY, *arguments]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env=git_environment.for_remotes(),
            timeout=_SECONDS,
            check=False,
            start_new_session=True,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        said = f"'git {arguments[0]}' does not work: {error}"
        raise PushError("push_failed", said, "see what 'git status' says in the wiki", lasting=False) from error
    if done.returncode > 1:  # 1 means that there is none
        said = " / ".join(done.stderr.decode("utf-8", "replace").split("\n")).strip(" /")
        said = f"git does not work in the wiki: {said.removeprefix('fatal: ')}"
        raise PushError("push_failed", said, "see what 'git status' says there", lasting=False)
    return done.stdout.decode("utf-8", "surrogateescape")

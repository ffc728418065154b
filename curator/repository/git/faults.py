"""What git says when it fails, as errors that say what to do."""

from __future__ import annotations

from pathlib import Path

from curator.errors import ConfigError, CuratorError, GitError


def objects_missing(said: str) -> GitError:
    """The error for an object that a partial clone has not fetched; curator never fetches."""
    hint = "in a partial clone, 'git archive HEAD > /dev/null' fetches what is missing; else see 'git fsck'"
    return GitError("objects_missing", f"a part of the wiki is not in this repository: {said}", hint)


def no_good(folder: Path, said: str) -> CuratorError:
    """The error for a repository that git itself refuses to work in, or that has no work tree here."""
    import shlex

    quoted = said.removeprefix("fatal: ")
    if "dubious ownership" in said:
        hint = f"if you trust it: git config --global --add safe.directory {shlex.quote(str(folder))}"
        return ConfigError("not_your_repository", f"the repository of {str(folder)!r} belongs to another user", hint)
    if "repository extension" in said or "repo version" in said:
        said = f"the git on PATH cannot read this repository: {quoted}"
        return ConfigError("git_too_old", said, "install a newer git, and run it again")
    if "work tree" in said:
        return ConfigError(
            "no_work_tree",
            f"{str(folder)!r} is not in the work tree of its repository: {quoted}",
            "go to a clone with files; see 'git config core.bare' and 'git config core.worktree'",
        )
    return GitError("git_failed", f"git cannot work in {str(folder)!r}: {quoted}", "see what 'git status' says there")

"""How the user's git is set up, as far as it matters to a wiki: configuration, HEAD, what kind of clone, filters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from curator.checks.diagnosis import Diagnosis, found, quoted
from curator.checks.examined_wiki import ExaminedWiki
from curator.repository.git import Git

_TOLD = (
    "core.autocrlf",
    "core.eol",
    "core.fsync",
    "core.fsyncmethod",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.sharedrepository",
    "core.sparsecheckout",
    "core.splitindex",
    "core.untrackedcache",
    "core.fsmonitor",
    "commit.gpgsign",
    "extensions.partialclone",
)
"""Settings that are shown; those that are wrong for a wiki are findings too."""


@dataclass(frozen=True)
class Setup:
    """One repository, asked."""

    git: Git

    @cached_property
    def configuration(self) -> Mapping[str, str]:
        """Every setting that holds, by its name in small letters; not those curator gives each command."""
        _, out, _ = self.git.run("config", "--list", "--show-scope", "-z")
        fields = out.decode("utf-8", "replace").split("\0")
        values: dict[str, str] = {}
        for scope, setting in zip(fields[::2], fields[1::2], strict=False):
            key, newline, value = setting.partition("\n")
            if scope != "command":
                values[key] = value if newline else "true"
        return values

    def is_on(self, key: str) -> bool:
        return self.configuration.get(key, "").lower() in ("true", "yes", "on", "1")

    @cached_property
    def promised(self) -> str:
        """The remote that keeps objects this clone does not have; empty in a whole clone."""
        if remote := self.configuration.get("extensions.partialclone", ""):
            return remote
        keys = (re.fullmatch(r"remote\.(.+)\.promisor", key) for key in self.configuration if self.is_on(key))
        return next((match[1] for match in keys if match), "")

    @cached_property
    def index_version(self) -> int | None:
        try:
            with (self.git.directory / "index").open("rb") as file:
                head = file.read(8)
        except OSError:
            return None
        return int.from_bytes(head[4:8], "big") if head[:4] == b"DIRC" else None

    def as_json(self) -> dict[str, Any]:
        _, out, _ = self.git.run("rev-parse", "--show-object-format")
        return {
            "object_format": out.decode().strip(),
            "ref_format": self.configuration.get("extensions.refstorage", "files"),
            "index_version": self.index_version,
            "shallow": self.git.is_shallow,
            "settings": {key: self.configuration[key] for key in _TOLD if key in self.configuration},
        }


def judge_settings(wiki: ExaminedWiki, setup: Setup) -> Iterator[Diagnosis]:
    """What of it hinders curator, or takes something from its promises."""
    yield from _head(wiki)
    yield from _clone(setup)
    if setup.is_on("core.sparsecheckout"):
        message = (
            "core.sparseCheckout is on: pages outside of its folders are not in the work tree, and are not changed"
        )
        yield found("info", "sparse_checkout", ".git", message, "to have all of them: git sparse-checkout disable")
    if setup.is_on("commit.gpgsign"):
        message = "commit.gpgSign is on: curator's commits are signed too, and nobody is there to type a passphrase"
        repair = "keep the key unlocked (ssh-add, gpg-agent), or: git config commit.gpgSign false"
        yield found("info", "gpg_sign", ".git", message, repair)
    if setup.configuration.get("core.fsync", "").lower() == "none":
        message = "core.fsync is none: your own commits may be lost in a power cut; curator syncs its own all the same"
        yield found("info", "fsync_off", ".git", message, "git config --unset core.fsync")


def _head(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    git = wiki.repository.git
    if busy := git.in_progress():
        message = f"{busy} is in progress: nothing is taken in until it is over"
        yield found("warn", "git_busy", ".git", message, git.way_out(busy))
    elif git.branch() is None:
        at = f" at {wiki.base[:12]}" if wiki.base else ""
        message = f"HEAD is detached{at}: there is no branch to commit to, so nothing can be taken in"
        yield found("warn", "detached_head", ".git/HEAD", message, "git switch BRANCH, or git switch -c NEW-BRANCH")
    elif wiki.base is None:
        repair = "git add KNOWLEDGE.md && git commit -m 'The wiki'"
        yield found("error", "no_commit", ".git/HEAD", "the branch has no commit yet", repair)


def _clone(setup: Setup) -> Iterator[Diagnosis]:
    if setup.promised:
        message = f"a partial clone: what it does not have is at {setup.promised!r}, and curator fetches nothing"
        repair = f"to have all of it: git fetch --refetch --no-filter {quoted(setup.promised)}"
        yield found("info", "partial_clone", ".git", message, repair)
    if setup.git.is_shallow:
        message = "a shallow clone: log and manifest are compared with the history that is here"
        yield found("info", "shallow_clone", ".git", message, "to have all of it: git fetch --unshallow")


def filtered_pages(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """Pages that go through a filter driver (LFS, encryption): what is committed is not what is read."""
    asked = "".join(f"{blob.path}\0" for blob in wiki.page_blobs).encode("utf-8", "surrogateescape")
    out = wiki.repository.git.output("check-attr", "-z", "--stdin", "filter", stdin=asked)
    fields = out.decode("utf-8", "surrogateescape").split("\0")
    found_in = [(path, name) for path, name in zip(fields[::3], fields[2::3], strict=False) if name not in _NO_FILTER]
    if found_in:
        path, name = found_in[0]
        more = f", and {len(found_in) - 1:,} more" if len(found_in) > 1 else ""
        message = f"git puts it{more} through the filter {name!r}, so what is committed is not the page"
        repair = "add '*.md !filter !diff !merge text' below it in .gitattributes; then: git add --renormalize ."
        yield found("error", "page_filtered", path, message, repair)


_NO_FILTER = ("unspecified", "unset", "set", "")

"""What the user told git, by configuration and attributes, that changes how a commit is made or a file is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from curator.repository.git import Git, records

_CONVERTING = ("filter", "working-tree-encoding", "ident", "text", "eol", "crlf")

Attributes = dict[str, str]
"""The attributes of a file that change its bytes on their way, by name; those that are not set are not there."""


_OF_USERS = ("user.", "author.", "committer.")


@dataclass(frozen=True)
class GitSettings:
    """The configuration, as of now."""

    signs: bool
    """``commit.gpgSign``"""
    minds_modes: bool
    """``core.fileMode``"""
    converts: bool
    """``core.autocrlf`` is set to something."""
    has_cone: bool
    """``core.sparseCheckout``, made of folders."""
    filters: frozenset[str]
    """The filters that have a program."""
    identity: tuple[str, ...]
    """What is said of the user."""

    @classmethod
    def of(cls, git: Git) -> GitSettings:
        found: dict[str, str | None] = {}
        for setting in git.settings().split("\0")[1::2]:
            key, is_set, value = setting.partition("\n")
            found[key] = value if is_set else None
        programs = [key for key, value in found.items() if value and key.endswith((".clean", ".process"))]
        return cls(
            signs=_is_true(found.get("commit.gpgsign", "")),
            minds_modes=_is_true(found.get("core.filemode", "true")),
            converts=_is_true(found.get("core.autocrlf", "")) or found.get("core.autocrlf") == "input",
            has_cone=all(_is_true(found.get(f"core.sparsecheckout{key}", "")) for key in ("", "cone")),
            filters=frozenset(key[7:].rpartition(".")[0] for key in programs if key.startswith("filter.")),
            identity=tuple(f"{key}={value}" for key, value in found.items() if key.startswith(_OF_USERS)),
        )


def attributes(git: Git, paths: Iterable[str]) -> dict[str, Attributes]:
    """The attributes of each of ``paths`` (from the top)."""
    asked = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    fields = records(git.output("check-attr", "-z", "--stdin", *_CONVERTING, stdin=asked, folder=git.top))
    found: dict[str, Attributes] = {path: {} for path in fields[::3]}
    for path, name, value in zip(fields[::3], fields[1::3], fields[2::3], strict=True):
        if value not in ("unspecified", "unset"):
            found[path][name] = value
    return found


def sparse_folders(git: Git) -> list[str]:
    """The folders that a sparse checkout in cone mode is made of, from the top."""
    return git.output("sparse-checkout", "list", folder=git.top).decode("utf-8", "surrogateescape").split("\n")[:-1]


def _is_true(value: str | None) -> bool:
    """As git reads it; a key without a value is one that is on."""
    if value is None or value.lower() in ("true", "yes", "on"):
        return True
    return value.lstrip("+-").isdigit() and int(value) != 0

"""Warnings beside a result: from composing the manifests, why nothing was ranked by meaning, and why nothing is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curator.system.filenames import printable

if TYPE_CHECKING:
    from curator.ask.meaning import Meaning
    from curator.repository.repository import Repository
    from curator.wiki.workspace.workspace import Workspace


def warnings(workspace: Workspace) -> list[dict[str, str]]:
    """What a reviewer of the chain should see: "hosts MUST expose the resolution chain"."""
    return [{"code": each.code, "message": each.message, "at": each.at} for each in workspace.merged.notices]


def warning_lines(workspace: Workspace) -> tuple[str, ...]:
    """The same for people."""
    return tuple(f"warning: {printable(each.message)} ({each.code})" for each in workspace.merged.notices)


def not_kept(repository: Repository) -> tuple[list[dict[str, str]], tuple[str, ...]]:
    """That nothing of what is found out is kept, where the disk is full; of one that is read-only that is no news."""
    why = repository.unwritable
    if why is None or why.code != "disk_full":
        return [], ()
    message = f"no cache is kept, no spending is booked, and no question can follow on this one: {why.message}"
    told = [{"code": why.code, "message": message, "at": ""}]
    return told, (f"warning: {printable(message)}; {why.hint} ({why.code})",)


def not_by_meaning(meaning: Meaning | None) -> tuple[list[dict[str, str]], tuple[str, ...]]:
    """Why nothing is ranked by meaning, though it was to be: for programs, and for people; each told once."""
    news = meaning.news if meaning is not None else ()
    told = [{"code": each.code, "message": each.message, "at": each.path} for each in news]
    return told, tuple(f"warning: {printable(each.message)}; {printable(each.hint)} ({each.code})" for each in news)

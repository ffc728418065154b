"""What may not be at a path that a commit writes, and the sentence for each.

Nothing here asks git or changes anything; the transaction brings the answers:

- ``in_the_tree``: the commit that is built upon, before anything is written.
- ``in_the_attributes``: what git would do to the bytes on their way, before anything is written.
- ``in_the_index`` and ``in_the_files``: what the user staged or saved, under git's own lock, right before the commit point.

The folders and files themselves are looked at by ``worktree``, which walks to them without following a link.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from curator.errors import Conflict, GitError, UncommittedEdits
from curator.repository.git import Blob, IndexEntry, folders_above
from curator.repository.transaction.contents import Content
from curator.repository.transaction.git_settings import Attributes
from curator.wiki.pages.names import plain

_LINK, _SUBMODULE, _FOLDER = "120000", "160000", "040000"


@dataclass(frozen=True)
class FileContent:
    """What a file of the work tree holds, and its mode."""

    content: Content
    is_executable: bool


@dataclass(frozen=True)
class Target:
    """A path that a commit writes."""

    path: str
    """From the top of the repository."""
    shown: str
    """From the wiki's root."""
    old: Blob | None
    """What the commit that is built upon has there."""
    text: Content = b""
    """What ``old`` is."""
    goes: bool = False
    ours: bool = True
    """False for the source, which is the user's: that it is changed or unknown to git is no wonder."""

    @property
    def mode(self) -> str:
        """The mode that the file has, or gets when it is new."""
        return self.old.mode if self.old is not None else "100644"


def in_the_tree(targets: Iterable[Target], found: Mapping[str, Blob]) -> None:
    """``found``: all that the commit has at the targets and at the folders above them. Raises Conflict."""
    for target in targets:
        for folder in folders_above(target.path):
            if (entry := found.get(folder)) is not None and entry.mode != _FOLDER:
                raise _on_the_way(target.shown, folder, entry.mode)
        mode = target.mode
        if mode == _LINK:
            raise is_a_link(target.shown)
        if mode == _SUBMODULE:
            raise _submodule(target.shown, target.path)
        if mode == _FOLDER:
            raise is_a_folder(target.shown)


def new_folders(targets: Iterable[Target], found: Mapping[str, Blob]) -> set[str]:
    """The folders that the commit would bring along, the outermost on each way only."""
    coming = [target for target in targets if target.old is None and not target.goes]
    firsts = (next((folder for folder in folders_above(target.path) if folder not in found), None) for target in coming)
    return {folder for folder in firsts if folder is not None}


def collides(path: str, neighbours: Iterable[str]) -> None:
    """Raises Conflict when a file or folder that is to be made is another one's twin where case does not count."""
    for name in neighbours:
        if name != path and plain(name) == plain(path):
            raise _twin(path, name)


def in_the_attributes(targets: Iterable[Target], attributes: Mapping[str, Attributes], filters: frozenset[str]) -> None:
    """Raises Conflict for a page that is no plain text to git, and GitError for a source whose filter is not there."""
    for target in targets:
        name = attributes.get(target.path, {}).get("filter")
        if name is None:
            continue
        if target.ours:
            raise Conflict(
                "page_filtered",
                f"git puts {target.shown} through the filter {name!r}, so what is committed is not the page",
                "take the wiki's pages out of it: add '*.md !filter !diff !merge text' below it in .gitattributes",
            )
        if name not in filters:
            raise GitError(
                "filter_missing",
                f"git is to put {target.shown} through the filter {name!r}, which is not set up here",
                f"set it up (git lfs install, for lfs), or take {target.shown} out of it in .gitattributes",
            )


def may_come_back_otherwise(text: bytes, attributes: Attributes) -> bool:
    """True when git, after checking ``text`` out, might see another text in the file than it was given."""
    if "working-tree-encoding" in attributes or ("ident" in attributes and b"$Id" in text):
        return True
    return b"\r" in text and ("eol" in attributes or attributes.get("text", "auto") != "auto")


def not_stable(shown: str, attributes: Attributes) -> Conflict:
    """The conflict for a page that would show as changed in ``git status`` right after its commit."""
    said = ", ".join(f"{name}={value}" for name, value in sorted(attributes.items()))
    return Conflict(
        "page_not_stable",
        f"git would not give {shown} back as it was committed: its attributes are {said}",
        f"change them in .gitattributes: {shown} has to hold any UTF-8 text",
    )


def in_the_cone(targets: Iterable[Target], folders: Sequence[str]) -> None:
    """Raises Conflict for a new page outside of a sparse checkout; ``folders`` are those it is made of."""
    for target in targets:
        folder = target.path.rpartition("/")[0]
        inside = not folder or any(f"{one}/".startswith(f"{folder}/") or _is_in(folder, one) for one in folders)
        if target.ours and target.old is None and not inside:
            raise _sparse(target.shown)


def in_the_index(
    targets: Iterable[Target], entries: Iterable[IndexEntry], is_to_be_added: Callable[[str], bool]
) -> None:
    """``entries``: those at the targets and in new folders, whatever the case of their letters. Raises Conflict."""
    wanted = {target.path: target for target in targets}
    found: dict[str, IndexEntry] = {}
    others = []
    for entry in entries:
        if entry.path in wanted:
            found[entry.path] = entry
        else:
            others.append(entry)
    _check_others(wanted, others)
    for path, target in sorted(wanted.items()):
        _check_entry(target, found.get(path), is_to_be_added)


def _check_others(wanted: Mapping[str, Target], others: Iterable[IndexEntry]) -> None:
    """Entries that are at no path of ours, and yet are in the way of one."""
    folded = {path.lower(): target for path, target in wanted.items()}
    folders = {folder: target for path, target in wanted.items() for folder in folders_above(path)}
    for entry in others:
        if (twin := folded.get(entry.path.lower())) is not None and twin.old is None:
            raise _twin(twin.path, entry.path)
        if (below := folders.get(entry.path)) is not None:
            raise _on_the_way(below.shown, entry.path, entry.mode)
        for folder in folders_above(entry.path):
            if folder in wanted:
                raise is_a_folder(wanted[folder].shown)


def _check_entry(target: Target, entry: IndexEntry | None, is_to_be_added: Callable[[str], bool]) -> None:
    shown, quoted = target.shown, shlex.quote(target.shown)
    tag = entry.tag if entry is not None else ""
    if tag in ("M", "m"):
        raise Conflict("page_unmerged", f"{shown} has an unfinished merge", f"resolve it, then: git add {quoted}")
    if tag.islower():
        hint = f"git update-index --no-assume-unchanged -- {quoted}"
        raise Conflict("page_assumed_unchanged", f"git was told not to look for changes of {shown}", hint)
    if tag == "S":
        raise _sparse(shown)
    if not target.ours:
        return
    if target.old is None and entry is not None and is_to_be_added(target.path):
        hint = f"commit it, or: git rm --cached -- {quoted}"
        raise Conflict("page_to_be_added", f"{shown} is marked to be added (git add -N)", hint)
    old = (target.old.mode, target.old.oid) if target.old else None
    if (entry and (entry.mode, entry.oid)) != old:
        raise _dirty(shown, "staged")


def in_the_files(
    targets: Iterable[Target],
    held: Mapping[str, FileContent | None],
    is_raw: Callable[[str], bool],
    changed: Callable[[Sequence[str]], set[str]],
) -> None:
    """``held``: what the files hold. Raises Conflict for bytes that are not those of the commit that is built upon.

    git is asked (``changed``) about those only that are not byte by byte the same, or that it converts.
    """
    doubtful = {}
    for target in targets:
        now = held[target.path]
        if not target.ours:
            continue
        if target.old is None and now is not None:
            hint = f"commit or move {shlex.quote(target.shown)}"
            raise Conflict("page_in_the_way", f"{target.shown} exists and is not committed", hint)
        if target.old is not None and now is None and not target.goes:
            raise _dirty(target.shown, "uncommitted")
        if now is not None and (now != FileContent(target.text, target.mode == "100755") or not is_raw(target.path)):
            doubtful[target.path] = target
    for path in sorted(changed(list(doubtful)) if doubtful else ()):
        raise _dirty(doubtful[path].shown, "uncommitted")


def is_a_link(shown: str) -> Conflict:
    return Conflict("page_is_a_link", f"{shown} is a symbolic link", "replace it by the file itself")


def is_a_folder(shown: str) -> Conflict:
    return Conflict("page_is_a_folder", f"{shown} is a folder", "rename it: a file of this name is to be written")


def _on_the_way(shown: str, folder: str, mode: str) -> Conflict:
    if mode == _SUBMODULE:
        return _submodule(shown, folder)
    if mode == _LINK:
        said = f"{folder!r} on the way to {shown} is a symbolic link"
        return Conflict("folder_is_a_link", said, "replace it by the folder itself")
    said = f"{folder!r} on the way to {shown} is a file"
    return Conflict("folder_is_a_file", said, "rename it: a folder of this name is needed")


def _submodule(shown: str, folder: str) -> Conflict:
    return Conflict(
        "path_is_a_submodule",
        f"{folder!r} is a submodule: a commit of this repository cannot have {shown} in it",
        "take the submodule out of the wiki, or keep the wiki in the submodule itself",
    )


def _twin(path: str, other: str) -> Conflict:
    said = f"{path} would be the same as {other} where file names have no case and no composed letters"
    is_new = "/sources/" in f"/{path}" and path.casefold() == other.casefold()  # the other source is in, by its name
    return Conflict("path_collides", said, f"rename {path if is_new else other}")


def _sparse(shown: str) -> Conflict:
    folder = shlex.quote(shown.rpartition("/")[0] or ".")
    return Conflict(
        "page_not_checked_out",
        f"{shown} is left out of your work tree (sparse checkout or skip-worktree), where it would be written unseen",
        f"git sparse-checkout add {folder}, or: git update-index --no-skip-worktree -- {shlex.quote(shown)}",
    )


def _dirty(shown: str, what: str) -> UncommittedEdits:
    hint = f"git commit -m 'my edits' -- {shlex.quote(shown)}"
    return UncommittedEdits("page_dirty", f"waiting for {shown}: it has {what} changes", hint)


def _is_in(folder: str, other: str) -> bool:
    return f"{folder}/".startswith(f"{other}/")

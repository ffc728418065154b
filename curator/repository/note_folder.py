"""A folder of notes that a wiki stands in: which files there are notes, and what of them is left out, and why.

The folder is its owner's (an Obsidian vault, a Logseq graph, plain files): it is read, and never written to.
"""

from __future__ import annotations

import json
import os
import stat
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from curator.errors import CuratorError, SourceError
from curator.repository import source_files
from curator.repository.git import Git
from curator.repository.runtime.runtime import Runtime
from curator.system import atomic
from curator.system.filenames import TEMPORARY, printable
from curator.wiki.pages.page import CONTRACT, FOLDERS, ROOT_FILES
from curator.wiki.sources.formats import format_of

HIDDEN, TEMPLATES, PROGRAM = "hidden or temporary", "templates", "settings of a program"
UNREAD, OF_THE_WIKI = "of a kind that is not read", "of the wiki"
"""Why a file is left out; of the wiki's own nothing is said."""
_PROGRAMS = (".obsidian", ".logseq", ".foam", ".dendron.yml", ".zk", ".silverbullet")
"""What note programs leave in the folder that they keep."""
_SETTINGS = ("logseq",)
"""Folders of a program's own that do not look hidden."""
_TEMPLATES = frozenset(("templates", "_templates", "template", "vorlagen"))
_TEMPLATE_SETTINGS = (
    (".obsidian/templates.json", "folder"),
    (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"),
)
"""Where Obsidian and its Templater plugin write down which folder has templates, and under which key."""
_OF_THE_WIKI = frozenset(("sources", "entries", "node_modules", "compiled", "indexes", "runs", *FOLDERS.values()))
_MOST_SEEN = 5_000
"""Entries of a folder that are looked at for a first note."""
_MOST_SETTINGS = 1_000_000
_SHOWN = 4


@dataclass(frozen=True)
class Gathered:
    """The files to take in, and what was left out of the folders that were named."""

    files: tuple[tuple[Path, Path | None], ...]
    """Each with the folder that it was found in; None for one that was named itself."""
    left_out: Mapping[str, Mapping[str, int]]
    """By reason: how many files of which suffix, or in which folder."""

    def as_json(self) -> dict[str, Any]:
        """``left_out``, where there is something."""
        told = [
            {"reason": reason, "count": sum(counts.values()), "what": dict(counts)}
            for reason, counts in self.left_out.items()
        ]
        return {"left_out": told} if told else {}

    def said(self) -> str:
        """In one line; empty when nothing was left out."""
        parts = [f"{sum(counts.values())} {reason} ({_most(counts)})" for reason, counts in self.left_out.items()]
        return ", ".join(parts)


def gather(paths: Iterable[Path], root: Path, notes: Path | None) -> Gathered:
    """The files named, and those in folders named, in order. Of folders, what can be no source is left out and counted."""
    left_out: dict[str, Counter[str]] = {}
    files: list[tuple[Path, Path | None]] = []
    templates = _template_folders(notes)
    for path in paths:
        if not source_files.may_be_walked(path, root, notes):
            files.append((path, None))
            continue
        for file in source_files.below(
            path,
            lambda name: left_out.setdefault(HIDDEN, Counter()).update([name]),
            frozenset(_own_folders(root, notes)),
        ):
            reason, what = _why_left_out(file, root, notes, templates)
            if what:
                left_out.setdefault(reason, Counter()).update([what])
            elif reason != OF_THE_WIKI:
                files.append((file, path))
    return Gathered(tuple(files), left_out)


def names(root: Path, notes: Path | None) -> frozenset[str]:
    """What the Markdown notes in the folder ``notes`` are called, case aside, without their suffix.

    A note program finds a file by that alone: a page of the same name would be taken for the note, or the note for it.
    """
    if notes is None:
        return frozenset()
    found = source_files.below(notes, but=frozenset(_own_folders(root, notes)))
    return frozenset(file.stem.casefold() for file in found if file.suffix.lower() == ".md")


def _own_folders(root: Path, notes: Path | None) -> Iterator[Path]:
    """The wiki's own folders, which a walk through the notes passes by."""
    if notes is not None and root.is_relative_to(notes):
        yield from (root / name for name in _OF_THE_WIKI) if root == notes else (root,)


def is_note(path: str) -> bool:
    """True for what lies in a wiki's folder and is not of the wiki: no page, source or generated file, nothing hidden."""
    parts = path.split("/")
    is_the_wikis = parts[-1] in CONTRACT or parts[0] in _OF_THE_WIKI or (len(parts) == 1 and path.startswith("_"))
    return not is_the_wikis and not any(map(TEMPORARY.search, parts))


def is_folder_of_notes(folder: Path) -> bool:
    """True for a folder that a note program keeps, or that has Markdown in it beside what a wiki or a repository has."""
    if is_kept_by_a_program(folder):
        return True
    seen = 0
    for place, folders, names in os.walk(folder):
        top = Path(place) == folder
        folders[:] = sorted(n for n in folders if not TEMPORARY.search(n) and not (top and n in _OF_THE_WIKI))
        if any(n.endswith(".md") and not (top and (n in ROOT_FILES or not is_note(n))) for n in names):
            return True
        seen += len(names) + len(folders)
        if seen > _MOST_SEEN:
            return False
    return False


def is_kept_by_a_program(folder: Path) -> bool:
    return any((folder / name).exists() for name in _PROGRAMS)


def wikis_beside(folder: Path) -> list[Path]:
    """The wikis right below ``folder`` whose settings say that the notes there are theirs."""
    with suppress(OSError):
        below = sorted(path for path in folder.iterdir() if (path / "KNOWLEDGE.md").is_file())
        return [path for path in below if _notes_of(path) == Path(os.path.realpath(folder))]
    return []


def remember(root: Path, notes: str) -> None:
    """Write into the settings of the wiki that its notes lie in ``notes``, a path from it; before other settings there."""
    with closing(Git(root)) as git:
        file = Runtime(git.runtime).config
        before = file.read_bytes() if file.exists() else b""
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(file, f'notes = "{notes}"\n'.encode() + before)


def _notes_of(root: Path) -> Path | None:
    """Where the settings of the wiki say that its notes lie: looked at only to find the wiki, whoever wrote them."""
    try:
        with closing(Git(root)) as git:
            settings = tomllib.loads(Runtime(git.runtime).config.read_text("utf-8"))
    except (CuratorError, OSError, ValueError):
        return None
    said = settings.get("notes")
    return Path(os.path.realpath(root / said)) if isinstance(said, str) and said else None


def _why_left_out(file: Path, root: Path, notes: Path | None, templates: Collection[Path]) -> tuple[str, str]:
    """Why a file found in a folder is none to take in, and what of; ("", "") for one that is."""
    inside = source_files.place_of(file, root)
    if inside is not None and not inside.startswith("sources/") and not is_note(inside):
        return OF_THE_WIKI, ""
    if (inside is not None and inside.startswith("sources/")) or not stat.S_ISREG(source_files.mode_of(file)):
        return "", ""  # put there to be a source; a link, or a folder that cannot be listed: it is said of each
    place = source_files.place_of(file, notes) if notes is not None else None
    if place is not None and notes is not None:
        above = {notes / folder for folder in PurePath(place).parents}
        if found := above & set(templates):
            return TEMPLATES, f"{next(iter(found)).name}/"
        if PurePath(place).parts[0] in _SETTINGS and (notes / "logseq" / "config.edn").exists():
            return PROGRAM, "logseq/"
        if file.name.endswith(".excalidraw.md"):
            return UNREAD, ".excalidraw.md"
    try:
        format_of(file)
    except SourceError:
        return UNREAD, file.suffix.lower() or file.name
    return "", ""


def _template_folders(notes: Path | None) -> frozenset[Path]:
    """The folders of ``notes`` that hold templates: as the settings of its program name them, or called so."""
    if notes is None:
        return frozenset()
    found = set()
    for name, key in _TEMPLATE_SETTINGS:
        with suppress(OSError, ValueError):
            settings = json.loads((notes / name).read_bytes()[:_MOST_SETTINGS])
            if isinstance(settings, dict) and isinstance(said := settings.get(key), str) and said.strip("/"):
                found.add(notes / said.strip("/"))
    with suppress(OSError):
        found.update(path for path in notes.iterdir() if path.name.casefold() in _TEMPLATES and path.is_dir())
    return frozenset(found)


def _most(counts: Mapping[str, int]) -> str:
    """What was left out most, the rest as a number: ``.png 12, .canvas 3, 4 more``."""
    first = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{printable(what)} {count}" if count > 1 else printable(what) for what, count in first[:_SHOWN]]
    rest = sum(count for _, count in first[_SHOWN:])
    return ", ".join([*shown, *([f"{rest} more"] if rest else [])])

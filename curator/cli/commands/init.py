"""``curate init``: a wiki a newcomer can use at once, in its first commit."""

from __future__ import annotations

import os
import re
from pathlib import Path
from string import Template

import click

from curator.cli.console import CommonOptions, Report
from curator.cli.options import FOLDER, common_options, reported
from curator.errors import ConfigError
from curator.repository import note_folder
from curator.repository.settings import check_git, check_path
from curator.repository.transaction import first_commit
from curator.system.filenames import printable
from curator.wiki import index, log
from curator.wiki.pages import frontmatter
from curator.wiki.pages.page import LONGEST_TITLE
from curator.wiki.sources import registry
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.workspace import manifest

_TEMPLATES = Path(__file__).resolve().parents[1] / "templates"
_BESIDE = "wiki"
"""The name of a wiki's folder in a folder of notes."""
_IGNORED = ".obsidian/workspace*\n.trash/\n.DS_Store\n.curator-*~\n"


@click.command()
@click.argument("folder", type=FOLDER, required=False)
@click.option("--title", help="The wiki's title; else made from the folder's name.")
@click.option("--in-place", is_flag=True, help="In a folder of notes: among them, not in a folder of its own.")
@common_options
@click.option("--dry-run", is_flag=True, help="Say what would be made, make nothing.")
@reported
def init(common: CommonOptions, folder: Path | None, title: str | None, in_place: bool, dry_run: bool) -> Report:
    return run(folder or common.wiki or Path(), title, dry_run, in_place)


def run(folder: Path, title: str | None, dry_run: bool = False, in_place: bool = False) -> Report:
    """Make the wiki in ``folder``; where notes are, in a folder of its own there, unless it is to be ``in_place``.

    Raises ConfigError or Conflict rather than change anything of the user's.
    """
    check_git()
    check_path(folder)
    folder, its_notes = _place(Path(os.path.realpath(folder)), in_place)
    named = folder.parent if its_notes == ".." and folder.name == _BESIDE else folder
    title = _one_line(title or "") or _one_line(re.sub(r"[-_]+", " ", named.name).title()) or "Wiki"
    if len(title) > LONGEST_TITLE:
        raise ConfigError(
            "title_too_long",
            f"the title has {len(title)} characters, {LONGEST_TITLE} at most",
            "give a shorter --title",
        )
    files = first_commit.missing_files(folder, {path: text.encode() for path, text in contents(title).items()})
    if dry_run:
        listed = tuple(f"would make {printable(folder / path)}" for path in files)
        return Report({"wiki": str(folder), "commit": None, "created": list(files)}, listed)
    commit = first_commit.create_wiki(folder, files, f"init: {title}\n")
    following = "next: put a file into sources/ and run 'curate ingest sources/FILE'"
    if its_notes:
        note_folder.remember(folder, its_notes)
        where = printable(folder / its_notes if its_notes == "." else folder.parent)
        following = (
            f"next, in {where}: curate ingest NOTE.md, or a folder of notes: they stay as they are, where they are"
        )
    lines = (f"{title}: a new wiki in {printable(folder)}", f"commit {commit[:12]}", "", following)
    return Report({"wiki": str(folder), "commit": commit, "created": list(files), "notes": its_notes or None}, lines)


def _place(folder: Path, in_place: bool) -> tuple[Path, str]:
    """Where the wiki is made, and the folder of notes that it stands in, from there; empty where there is none."""
    if (folder / "KNOWLEDGE.md").exists():
        return folder, ""
    if in_place:
        return folder, "."
    if note_folder.is_folder_of_notes(folder):
        return folder / _BESIDE, ".."
    return folder, ".." if note_folder.is_kept_by_a_program(folder.parent) else ""


def contents(title: str) -> dict[str, str]:
    """The files of a new wiki, by path."""
    name = manifest.name_of(title)
    description = f"What {title} knows, kept from the sources in sources/ by curator."
    head = frontmatter.dump({"title": title, "description": description}).rstrip()
    names = {"title": title, "name": name, "head": head}
    filled = {
        path: Template((_TEMPLATES / path).read_text("utf-8")).substitute(names)
        for path in ("KNOWLEDGE.md", "AGENTS.md")
    }
    return {
        **filled,
        index.PATH: index.render([]),
        log.PATH: log.HEADING,
        registry.PATH: SourceManifest().dumps(),
        ".gitignore": _IGNORED,
        **{f"{folder}/.gitkeep": "" for folder in first_commit.FOLDERS},
    }


def _one_line(title: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in title).split())

"""Where a wikilink leads by the published rules of programs that show Markdown: paths of files, none or several included.

What each rule is of:

- Obsidian (help, "Internal links"; "shortest path when possible") and Foam, in VS Code: the files of that name anywhere
  in the vault, case aside; a path in the link is the end of the file's.
- Quartz (``CrawlLinks``, ``markdownLinkResolution: shortest``): the one file of that very name, case included, blanks as
  hyphens; where there is none or several, the path from the root.
- Logseq: a page's name is its ``title``, else its file's, case aside, or one of its aliases; what stands between the
  brackets is all name, a bar and what follows included (so its own parser, mldoc 1.6, reads it).
- MkDocs, GitHub's view of a repository and VS Code alone read no wikilinks: such a link is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from curator.wiki.pages.page import Page

Files = Mapping[str, str]
"""The Markdown files that a program has opened: text by path from the folder that it opened."""
Rule = Callable[[str, Files], list[str]]
"""What stands between the brackets of a link, and the files, to where it leads."""
LINK = re.compile(r"(?<!!)\[\[([^\[\]\n]+)\]\]")


def obsidian(written: str, files: Files) -> list[str]:
    name = _target(written).casefold().removesuffix(".md")
    return [path for path in files if f"/{path.casefold().removesuffix('.md')}".endswith(f"/{name}")]


def opened_by_obsidian(written: str, files: Files, note: str) -> str | None:
    """Which of several files of one name ``note`` leads to: one of its own folder first, then the shortest path."""
    folder = note.rpartition("/")[0]
    found = sorted(obsidian(written, files), key=lambda path: (not path.startswith(folder), len(path)))
    return found[0] if found else None


def quartz(written: str, files: Files) -> list[str]:
    wanted = re.sub(r"\s", "-", _target(written)).removesuffix(".md")
    slugs = {re.sub(r"\s", "-", path).removesuffix(".md"): path for path in files}
    named = [path for slug, path in slugs.items() if slug.rpartition("/")[2] == wanted]
    return named if len(named) == 1 else [slugs[wanted]] if wanted in slugs else []


def logseq(written: str, files: Files) -> list[str]:
    return [path for path, text in files.items() if written.casefold() in _names_in_logseq(path, text)]


def text_alone(written: str, files: Files) -> list[str]:
    return []


RULES: Mapping[str, Rule] = {
    "Obsidian": obsidian,
    "VS Code with Foam": obsidian,
    "Quartz": quartz,
    "Logseq": logseq,
    "VS Code": text_alone,
    "GitHub": text_alone,
    "MkDocs": text_alone,
}


def links(text: str) -> list[str]:
    """What stands between the brackets of each link of a text."""
    return LINK.findall(text)


def _target(written: str) -> str:
    return re.split(r"\\?\||#", written)[0].strip()


def _names_in_logseq(path: str, text: str) -> set[str]:
    page = Page(path, text)
    if not page.is_readable:
        return {PurePosixPath(path).stem.casefold()}
    aliases = page.fields.get("aliases")
    names = [str(page.fields.get("title") or PurePosixPath(path).stem), *(aliases if isinstance(aliases, list) else ())]
    return {name.casefold() for name in names}

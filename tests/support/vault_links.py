"""Where the links of a wiki in a vault lead, by the rules of each program that may have opened it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from support import link_rules

WHOLE_VAULT = ("Obsidian", "VS Code with Foam", "Logseq", "VS Code")
"""What opens the vault with the wiki in it; the others are given the wiki alone."""


@dataclass(frozen=True)
class Led:
    """What became of the links of the pages and the index."""

    total: int
    wrong: dict[str, list[str]]
    """By what stands in the brackets: the files that it may mean, where that is not one page of the wiki."""

    @property
    def word(self) -> str:
        """How many lead to the page that is meant."""
        return "all" if not self.wrong else "none" if len(self.wrong) == self.total else "some"


def led(home: Path, program: str) -> Led:
    """Follow each link of the wiki in the vault ``home`` as ``program`` would."""
    top = home if program in WHOLE_VAULT else home / "wiki"
    files = {path.relative_to(top).as_posix(): path.read_text("utf-8") for path in _markdown(top)}
    wiki = "wiki/" if program in WHOLE_VAULT else ""
    pages = {path for path in files if path.startswith(wiki) and _is_curated(path.removeprefix(wiki))}
    texts = (text for path, text in files.items() if path in pages or path == f"{wiki}_index.md")
    written = {link for text in texts for link in link_rules.links(text)}
    found = {link: link_rules.RULES[program](link, files) for link in sorted(written)}
    return Led(len(written), {link: to for link, to in found.items() if len(to) != 1 or to[0] not in pages})


def _markdown(top: Path) -> list[Path]:
    found = (
        path for path in top.rglob("*.md") if not any(part.startswith(".") for part in path.relative_to(top).parts)
    )
    return sorted(found)


def _is_curated(path: str) -> bool:
    return "/" in path and not path.startswith("sources/")

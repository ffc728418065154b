"""A folder of pages: any curator's, as long as they are Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from quality.matching import key, plain, units
from quality.passages import TextPassage, title_of, titled

_FURNITURE = {"KNOWLEDGE.md", "AGENTS.md", "README.md", "CLAUDE.md"}
_NOTE = re.compile(r"^\[\^[^\]]+\]:.*(?:\n(?=[ \t]+\S).*)*", re.MULTILINE)
_LINK = re.compile(
    r"(?<!`)\[\[([^\]|#]+)(?:#[^\]|]*)?(?:\|([^\]]*))?\]\]|(?<!!)\[([^\]]*)\]\(([^)\s:]+\.md)(?:#[^)]*)?\)"
)


@dataclass(frozen=True)
class PageLink:
    """A link of a page: where it goes, as what text, in which statement."""

    page: str
    target: str
    text: str
    unit: str

    @property
    def is_in_text(self) -> bool:
        """False for one that is all of its list item, and for a name in code: an everyday word is none there."""
        return "`" not in self.text and key(self.text) != key(statement(self))


@dataclass(frozen=True)
class PageFile:
    """A page: its path below the folder, its head, and its body without footnotes."""

    path: str
    head: dict[str, Any]
    body: str
    notes: str = field(repr=False)

    @property
    def slug(self) -> str:
        return Path(self.path).stem

    @cached_property
    def title(self) -> str:
        return str(self.head.get("title") or title_of(self.body) or self.slug)

    @cached_property
    def aliases(self) -> tuple[str, ...]:
        metadata = self.head.get("metadata")
        own = metadata.get("curator") if isinstance(metadata, dict) else None
        found = own.get("aliases") if isinstance(own, dict) else self.head.get("aliases")
        return tuple(str(each) for each in found) if isinstance(found, list) else ()

    @property
    def is_of_a_source(self) -> bool:
        """Whether it tells what one source says, and so is not the page of a thing."""
        return str(self.head.get("kind") or Path(self.path).parent.name).rstrip("s").casefold() in {
            "summary",
            "summarie",
        }

    @cached_property
    def titles(self) -> frozenset[str]:
        """What it is called: aliases aside."""
        return frozenset({key(self.title), key(self.slug)})

    @cached_property
    def names(self) -> frozenset[str]:
        return self.titles | {key(alias) for alias in self.aliases}

    @cached_property
    def links(self) -> tuple[PageLink, ...]:
        return tuple(
            PageLink(self.path, link[1] or Path(link[4]).stem, link[2] or link[3] or link[1], unit)
            for unit in units(self.body)
            for link in _LINK.finditer(unit)
        )

    def related(self, field: str) -> tuple[str, ...]:
        """The pages named by a relation in the head, as ``contradicts``."""
        found = self.head.get(field)
        return tuple(str(each) for each in found) if isinstance(found, list) else ()

    def passages(self) -> Iterator[TextPassage]:
        return titled(self.path, self.title, self.body)


@dataclass(frozen=True)
class PageFolder:
    """The pages below a folder; what is hidden, a source or a page of the machinery is left aside."""

    root: Path
    sources: str = "sources"

    @cached_property
    def pages(self) -> tuple[PageFile, ...]:
        return tuple(read_page_file(self.root, path) for path in sorted(self.root.rglob("*.md")) if self._is_page(path))

    @cached_property
    def is_kept_by_curate(self) -> bool:
        return (self.root / "KNOWLEDGE.md").is_file() and (self.root / "_manifest.json").is_file()

    def resolved(self, target: str) -> PageFile | None:
        """The page that a link goes to: by its path, its slug, its title or another name of it."""
        return self._by_name.get(key(target))

    @cached_property
    def _by_name(self) -> dict[str, PageFile]:
        named: dict[str, PageFile] = {}
        for names in ("slug", "title", "aliases"):
            for page in self.pages:
                found = getattr(page, names)
                for name in found if isinstance(found, tuple) else (found,):
                    named.setdefault(key(name), page)
        return {**{key(page.path.removesuffix(".md")): page for page in self.pages}, **named}

    def _is_page(self, path: Path) -> bool:
        parts = path.relative_to(self.root).parts
        hidden = any(part.startswith((".", "_")) for part in parts)
        return not hidden and path.name not in _FURNITURE and parts[0] != self.sources


def read_page_file(root: Path, path: Path) -> PageFile:
    """The page at ``path``; a head that is no YAML is part of its body."""
    text = path.read_text("utf-8", errors="replace")
    head: Any = None
    if found := re.match(r"---\n(.*?)\n---\n", text, re.DOTALL):
        try:
            head = yaml.safe_load(found[1])
        except yaml.YAMLError:
            head = None
    body = text[found.end() :] if found and isinstance(head, dict) else text
    notes = "\n".join(_NOTE.findall(body))
    return PageFile(
        path.relative_to(root).as_posix(), head if isinstance(head, dict) else {}, _NOTE.sub("", body), notes
    )


def statement(link: PageLink) -> str:
    """The statement of a link for a reader: plain, with the link marked."""
    marked = _LINK.sub(
        lambda found: f"[[{found[2] or found[3] or found[1]}]]".replace("[[", "⟦").replace("]]", "⟧"), link.unit
    )
    return " ".join(plain(marked).split())

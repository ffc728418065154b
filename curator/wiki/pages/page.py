"""A wiki page: markdown with a YAML head (AIP-10, layer 2), in either dialect.

The seed's ``knowledge/v1`` lists sources as paths, the public schema's ``knowledge.entry/v1`` as ids. A page is its text;
all else is read from it, and a change makes a new page in which every byte that was not meant stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from curator.errors import FrontmatterError
from curator.wiki.pages import frontmatter, markdown
from curator.wiki.pages.citation import Citation, without_marks
from curator.wiki.pages.editing import CLAIMS
from curator.wiki.pages.slug import slug_of_file

SEED_DIALECT = "knowledge/v1"
ENTRY_DIALECT = "knowledge.entry/v1"
DIALECTS = (SEED_DIALECT, ENTRY_DIALECT)
LONGEST_TITLE = 200
"""Characters of a title (ADDENDA, frontmatter limits), and of other names."""
DERIVED = ("comparison", "timeline")
"""Kinds of pages that are made from other pages: they need no source of their own (ADDENDA, Entries)."""
KINDS = ("summary", "entity", "concept", *DERIVED)
FOLDERS = {
    "summary": "summaries",
    "entity": "entities",
    "concept": "concepts",
    "comparison": "comparisons",
    "timeline": "timelines",
}
SUMMARY_LENGTH = 160


@dataclass(frozen=True)
class Page:
    """One page of the wiki. ``path`` is from the wiki root; lines count from the file's first."""

    path: str
    text: str

    # -- what the head says --------------------------------------------------------------------------------------

    @cached_property
    def fields(self) -> dict[str, Any]:
        """The frontmatter. Raises FrontmatterError."""
        return frontmatter.read(self.text)

    @property
    def is_readable(self) -> bool:
        """False when the head cannot be read: such a page waits for its owner."""
        try:
            return self.fields is not None
        except FrontmatterError:
            return False

    @cached_property
    def body(self) -> str:
        return frontmatter.split(self.text)[1]

    @cached_property
    def head_lines(self) -> int:
        return frontmatter.split(self.text)[0].count("\n")

    @property
    def dialect(self) -> str:
        return str(self.fields.get("schema") or SEED_DIALECT)

    @property
    def slug(self) -> str:
        return _word(self.fields.get("slug")) or PurePosixPath(self.path).stem

    @property
    def kind(self) -> str:
        return _word(self.fields.get("kind")) or _kind_of_folder(self.path)

    @property
    def title(self) -> str:
        heading = next((block.text for block in self.outline.headings if block.level == 1), "")
        return _word(self.fields.get("title")) or heading or self.slug

    @property
    def sources(self) -> tuple[str, ...]:
        """As the page writes them: paths in the seed's dialect, ids in the other."""
        return _words(self.fields.get("sources"))

    @property
    def aliases(self) -> tuple[str, ...]:
        """``metadata.curator.aliases``, then what else the top-level ``aliases`` of note programs has."""
        return tuple(dict.fromkeys((*self.own_aliases, *_words(self.fields.get("aliases")))))

    @property
    def own_aliases(self) -> tuple[str, ...]:
        return _words(self.ours.get("aliases"))

    @property
    def type(self) -> str:
        """The entity type: ``metadata.curator.type``, else the kind in PascalCase."""
        return _word(self.ours.get("type")) or "".join(part.capitalize() for part in self.kind.split("-"))

    @property
    def tags(self) -> tuple[str, ...]:
        return _words(self.fields.get("tags"))

    @property
    def contradicts(self) -> tuple[str, ...]:
        return _words(self.fields.get("contradicts"))

    @property
    def supersedes(self) -> tuple[str, ...]:
        return _words(self.fields.get("supersedes"))

    @property
    def head_links(self) -> tuple[str, ...]:
        """The pages that ``links`` of the head names: slugs, or what else a link may call a page."""
        return tuple(filter(None, map(named_in_head, _words(self.fields.get("links")))))

    @property
    def confidence(self) -> float:
        """0 to 1; 1.0 when the page does not say (AIP-10)."""
        try:
            return float(self.fields.get("confidence", 1.0))
        except (TypeError, ValueError, FrontmatterError):
            return 1.0

    @property
    def updated_at(self) -> str:
        return _word(self.fields.get("updated_at"))

    @property
    def ours(self) -> Mapping[str, Any]:
        """The vendor fields curator owns, ``metadata.curator``."""
        metadata = self.fields.get("metadata")
        ours = metadata.get("curator") if isinstance(metadata, dict) else None
        return ours if isinstance(ours, dict) else {}

    # -- what the body says --------------------------------------------------------------------------------------

    @cached_property
    def outline(self) -> markdown.Outline:
        """The body's structure; its offsets and lines are those of ``body``."""
        return markdown.scan(self.body)

    @cached_property
    def citations(self) -> dict[str, Citation]:
        """The footnotes that cite a source, by label."""
        found: dict[str, Citation] = {}
        for block in self.outline.blocks:
            if block.kind == "note":
                written = self.body[block.start : block.end].partition("]:")[2]
                citation = Citation.parse(written)
                if citation is not None:
                    found.setdefault(block.info, citation)
        return found

    def cites(self, path: str) -> bool:
        """True when one of the page's statements carries a citation of the source at ``path``."""
        labels = {label for label, citation in self.citations.items() if citation.path == path}
        claims = (block for block in self.outline.blocks if block.kind in CLAIMS)
        return any(not labels.isdisjoint(block.citations) for block in claims)

    @cached_property
    def prose(self) -> str:
        """The body without its footnotes: what a prompt shows. The marks stay, an edit has to keep them."""
        body = self.body
        for block in reversed(self.outline.blocks):
            if block.kind == "note":
                body = body[: block.start] + body[block.end :].lstrip("\n")
        return body.strip()

    @property
    def links(self) -> Iterator[tuple[str, markdown.Link]]:
        """Each link to another page with what it names: a slug or title for wikilinks, a path from the root for others."""
        for link in self.outline.links:
            if link.form in ("wiki", "embed") and link.target:
                yield link.target, link
            elif link.form in ("inline", "reference") and link.target.endswith(".md") and "://" not in link.target:
                yield path_from(self.path, link.target), link

    @cached_property
    def summary(self) -> str:
        """One line for the index: the first paragraph's first sentence, without marks, at most 160 characters."""
        for block in self.outline.blocks:
            if block.kind in ("paragraph", "item") and block.text:
                return _clip(_first_sentence(" ".join(without_marks(block.text).split())), SUMMARY_LENGTH)
        return ""

    def line_of(self, body_line: int) -> int:
        """The file's line for a line of the body."""
        return body_line + self.head_lines

    def with_fields(self, **changes: Any) -> Page:
        """The page with these top-level fields set, every other byte kept. Raises FrontmatterError."""
        return Page(self.path, frontmatter.replace_fields(self.text, changes))

    @property
    def newline(self) -> str:
        """How every line of the page ends; ``\\n`` when they end in several ways."""
        return "\r\n" if 0 < self.text.count("\n") == self.text.count("\r\n") else "\n"

    def with_newline(self, newline: str) -> Page:
        """The page with every line ending so; one that counts as ``newline`` already stays as it is."""
        if newline == self.newline:
            return self
        return Page(self.path, self.text.replace("\r\n", "\n").replace("\n", newline))

    def with_body(self, body: str) -> Page:
        return Page(self.path, frontmatter.split(self.text)[0] + body)


def is_page(path: str, text: str) -> bool:
    """True for markdown that is a page: it has a page's schema, or none and lies in a kind's folder or in ``entries/``."""
    if not is_page_path(path):
        return False
    schema = _SCHEMA.search(frontmatter.written(text))
    if schema is not None:
        return _PAGE_SCHEMA.match(schema[1]) is not None
    folders = path.split("/")[:-1]
    return not _PLACES.isdisjoint(folders) and folders[0] not in _OTHERS


def is_page_path(path: str) -> bool:
    """True for markdown that may be a page: not a source, not a generated or contract file, nothing hidden."""
    if not path.endswith(".md") or path.startswith(".") or "/." in path or path.partition("/")[0] in _NOT_PAGES:
        return False
    name = path.rpartition("/")[2]
    return name not in CONTRACT and (name != path or (path not in ROOT_FILES and not path.startswith("_")))


_SCHEMA = re.compile(r"""^(?:\{\s*)?["']?schema["']?\s*:[ \t]*(?:[&!]\S+[ \t]+)*["']?([^\s"',}#]+)""", re.MULTILINE)
"""Of a head that need not be sound YAML: a page that its owner has to mend is a page."""
_PAGE_SCHEMA = re.compile(r"knowledge(\.entry)?(/|\Z)")
"""Of whatever version: one that is not known is a fault of the page."""
_PLACES = {*FOLDERS.values(), "entries"}
_OTHERS = {"docs", "prompts", "operators", "companies", "skills", "playbooks"}
"""Folders of others: what lies there is a page only where it says so."""
_NOT_PAGES = {"sources", "node_modules", "compiled", "indexes", "runs"}
"""The last three are a knowledge pack's: made from pages, or about them."""
CONTRACT = {
    *("KNOWLEDGE.md", "AGENTS.md", "OPERATOR.md", "SKILL.md", "PLAYBOOK.md"),
    *("ITEM.md", "ROUTINE.md", "SECURITY.md"),
}
"""Wherever they lie: a view beside its operator is a manifest, too (AIP-10, "Composition semantics"); and what operators
and skills are told to do is no knowledge, and must not be answered from.
"""
ROOT_FILES = {"CLAUDE.md", "README.md", "CHANGELOG.md", "LICENSE.md", "CONTRIBUTING.md", "reading-list.md"}


def _kind_of_folder(path: str) -> str:
    parts = path.split("/")
    kinds = {folder: kind for kind, folder in FOLDERS.items()}
    return next((kinds[part] for part in reversed(parts[:-1]) if part in kinds), "page")


def path_from(page_path: str, target: str) -> str:
    """``../a/b.md`` seen from a page, as a path from the wiki root; what climbs out keeps its ``..``."""
    parts: list[str] = [] if target.startswith("/") else page_path.split("/")[:-1]
    for part in unquote(target).strip("/").split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


_SENTENCE_END = re.compile(
    r"(?<=[.!?。！？])(?<!\s[A-Z]\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bDr\.)(?<!\bpp\.)[\"'”’)]*(?:\s+(?=[A-Z\d\"'“(])|\Z)|(?<=[。！？])"
)


def _first_sentence(text: str) -> str:
    match = _SENTENCE_END.search(text, 20)
    return (text[: match.end()] if match else text).strip()


def _clip(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    return text[: length - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def _word(value: object) -> str:
    return "" if value is None or isinstance(value, (dict, list)) else str(value).strip()


def named_in_head(value: object) -> str:
    """The page that a value of a head names: ``oolong``, or Obsidian's ``[[oolong|words]]``; empty for what names none."""
    word = _word(value)
    match = _BRACKETS.fullmatch(word)
    return "" if "://" in word else match[1].strip() if match else word


_BRACKETS = re.compile(r"!?\[\[([^\]|#\\]*)(?:[|#\\][^\]]*)?\]\]")


def _words(value: object) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(word for word in map(_word, values) if word)


def source_reference(dialect: str, path: str, id: str = "") -> str:
    """How a page of ``dialect`` names the source at ``path``: that, or its ``id`` (empty: the plain one of its path)."""
    return (id or slug_of_file(path)) if dialect == ENTRY_DIALECT else path

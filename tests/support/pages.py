"""Small wikis, sources and drafts for tests, and the settings every law runs with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from hypothesis import settings

from curator.ingest.drafting import draft as drafting
from curator.ingest.drafting.drafted import Draft, DraftContext
from curator.models.proposal import Claim, Operation, Proposal
from curator.repository.catalogue import Catalogue
from curator.wiki.pages import frontmatter
from curator.wiki.pages.page import FOLDERS, Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document, Source
from curator.wiki.support.judge import Judge
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import CurationPolicy
from support.depth import NIGHTLY
from support.places import TESTS

laws = settings(deadline=None, derandomize=not NIGHTLY, max_examples=200 if NIGHTLY else 20)
"""The same examples on every machine, and no clock."""

NOW = datetime(2026, 4, 15, 9, 30, tzinfo=UTC)
STAMP = "2026-04-15T09:30:00Z"


def page(slug: str, body: str = "", kind: str = "concept", **fields: object) -> Page:
    """A page of the seed's dialect with its title, unless ``fields`` say otherwise, made from the slug."""
    title = str(fields.pop("title", slug.replace("-", " ").capitalize()))
    head: dict[str, object] = {"schema": "knowledge/v1", "slug": slug, "kind": kind, "title": title}
    head |= {"sources": ["sources/old.txt"], "confidence": 0.7, "updated_at": "2026-01-01T00:00:00Z", **fields}
    return Page(f"{FOLDERS.get(kind, kind + 's')}/{slug}.md", frontmatter.compose(head, f"# {title}\n\n{body}"))


@lru_cache(maxsize=64)
def wiki(*pages: Page, **files: str) -> Wiki:
    """A wiki of these pages, and of files by their path with ``__`` for ``/`` and ``_dot_`` for ``.``."""
    others = {name.replace("__", "/").replace("_dot_", "."): text for name, text in files.items()}
    return Wiki(Catalogue.of_pages(pages, others))


def source(text: str, path: str = "sources/tea.txt", authority: str = "secondary") -> Source:
    return Source(path, "sha256:00", Document.from_text(text), authority=authority)


def claim(text: str, *quotes: str) -> Claim:
    return Claim(text=text, quotes=quotes)


def draft(base: Wiki, taken: Source, *operations: Operation, policy: CurationPolicy | None = None) -> Draft:
    """What becomes of ``operations`` when ``taken`` is worked into ``base``."""
    setting = DraftContext(taken, Judge(Evidence(taken.path, taken.document)), policy or CurationPolicy(), NOW)
    return drafting.draft(Proposal(operations=operations), base, setting)


@dataclass(frozen=True)
class Case:
    """One case of a text file: what goes in, and what has to come out."""

    title: str
    given: str
    wanted: str


def cases(name: str) -> list[Case]:
    """The cases of ``tests/cases/<name>.md``: a title, what is given, a line with one dot, what is wanted, a dot."""
    text = (TESTS / "cases" / f"{name}.md").read_text("utf-8")
    found = re.findall(r"^(\S.*)\n\.\n((?:.*\n)*?)\.\n((?:.*\n)*?)\.$", text, re.MULTILINE)
    return [Case(title, given.removesuffix("\n"), wanted.removesuffix("\n")) for title, given, wanted in found]

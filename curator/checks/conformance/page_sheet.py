"""A page as the handshake asks about it: worked out from its path, its text and the wiki's entity types, and nothing else.

What is worked out is text, so that it can be kept and handed back as it is; only what a step asks for is read again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from curator.wiki import define_entry
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page
from curator.wiki.references import Reference, references, resolves
from curator.wiki.validation import ENTRY_INVALID, Failure

_NOTHING = "[]"


@dataclass(frozen=True)
class PageSheet:
    """What is known of one page, in JSON."""

    path: str
    is_readable: bool
    """False where its head cannot be read: it has no slug then but its file's name."""
    called: str
    """What links may call it: its slug, then the keys of its names."""
    faults: str
    """What its frontmatter breaks."""
    named: str
    """What it names."""

    @classmethod
    def of(cls, path: str, written: str | None, types: Collection[str]) -> PageSheet:
        """``written`` is None where the page is no UTF-8, ``types`` are the entity types that the wiki declares."""
        if written is None:
            return cls(path, False, _NOTHING, _kept([Failure(ENTRY_INVALID, path, "it is not UTF-8")]), _NOTHING)
        page = Page(path, written)
        faults = _kept(define_entry.of_entry(page, types))
        if not page.is_readable:
            return cls(path, False, _called(PurePosixPath(path).stem), faults, _NOTHING)
        called = _called(page.slug, str(page.fields.get("title") or page.title), *page.aliases)
        named = [(each.form, each.target, each.line, each.where) for each in references(page)]
        return cls(path, True, called, faults, json.dumps(named))

    @property
    def slug(self) -> str:
        """Empty where its head cannot be read."""
        return self.names[0] if self.is_readable else ""

    @property
    def names(self) -> list[str]:
        """Its slug, and the keys of its names; nothing for what is no text."""
        return list(json.loads(self.called))

    @property
    def failures(self) -> Iterator[Failure]:
        for code, message, line, field in json.loads(self.faults) if self.faults != _NOTHING else ():
            yield Failure(code, self.path, message, line, field=field)

    def unresolved(self, is_source: Callable[[str], bool], is_page: Callable[[str], bool]) -> Iterator[Reference]:
        """What it names and is not there, and what it may not name."""
        for form, target, line, where in json.loads(self.named):
            if not resolves(form, target, is_source, is_page):
                yield Reference(form, target, line, where)


def _called(slug: str, *others: str) -> str:
    keys = map(name_key, (*others, slug.replace("-", " ")))
    return json.dumps([slug, *dict.fromkeys(filter(None, keys))])


def _kept(failures: Iterable[Failure]) -> str:
    return json.dumps([(each.code, each.message, each.line, each.field) for each in failures])

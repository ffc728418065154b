"""The wiki as a value: a lazy view of one commit, and the pages a change puts over it.

A wiki has up to 100,000 pages, so ``Wiki`` holds none. It asks a ``PageStore`` (in life the catalogue, cached by blob) for
the few it needs; ``with_page`` makes the next wiki and leaves this one as it was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol
from weakref import WeakKeyDictionary

from curator.system.bounded_cache import BoundedCache
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import FOLDERS, SEED_DIALECT, Page
from curator.wiki.pages.slug import slugify


@dataclass(frozen=True)
class PageEntry:
    """What is known of a page without its body: a line of the catalogue."""

    slug: str
    path: str
    title: str
    kind: str
    type: str = ""
    summary: str = ""
    aliases: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    """Targets as written, those of its head first: slugs, titles, or paths ending in ``.md``."""
    contradicts: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    updated_at: str = ""

    @classmethod
    def of(cls, page: Page) -> PageEntry:
        """The entry of ``page``. Raises FrontmatterError when its head cannot be read."""
        entry = _entries.get(page)
        if entry is None:
            entry = _entries[page] = _entry(page)
        return entry

    @property
    def names(self) -> tuple[str, ...]:
        """All a text may call this page by: its title, its aliases, its slug."""
        return (self.title, *self.aliases, self.slug.replace("-", " "))


_LONGEST_CHAIN = 1_000
"""Pages that supersede one another, one after the other, before it is taken for a ring."""
_recent: BoundedCache[tuple[str, str], Page] = BoundedCache(192_000, lambda page: len(page.text))
"""The pages a source affects, and the old texts of those it changes, are asked for again and again: the same text gives the
same page, so that what is read from it is read once. What a page turns out to hold (its outline, its head) takes fifteen
times the room of its text. So it is the text that is counted: 256 pages may be a quarter of a megabyte, or sixteen."""

_entries: WeakKeyDictionary[Page, PageEntry] = WeakKeyDictionary()
"""An entry is made once, and kept for as long as its page is: it must not keep the page."""


def _recent_page(path: str, text: str) -> Page:
    return _recent.get_or_make((path, text), lambda: Page(path, text))


def _entry(page: Page) -> PageEntry:
    return PageEntry(
        slug=page.slug,
        path=page.path,
        title=page.title,
        kind=page.kind,
        type=page.type,
        summary=page.summary,
        aliases=page.aliases,
        sources=page.sources,
        tags=page.tags,
        links=tuple(dict.fromkeys((*page.head_links, *(target for target, _ in page.links)))),
        contradicts=page.contradicts,
        supersedes=page.supersedes,
        updated_at=page.updated_at,
    )


@dataclass(frozen=True)
class Conventions:
    """What a wiki's pages have in common, which new pages follow."""

    dialect: str = SEED_DIALECT
    folders: Mapping[str, str] = field(default_factory=lambda: dict(FOLDERS))
    """Where the pages of each kind are, by kind."""
    types: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """What pages of the wiki's own entity types write as their kind, and where they are, by type."""

    @classmethod
    def of(
        cls, dialect: str, used: Mapping[str, str], types: Mapping[str, tuple[str, str]] | None = None
    ) -> Conventions:
        """``used``: the folders of the kinds that have pages. A kind without goes where the others are, when all of those
        are in one place, such as ``entries/``.
        """
        places = {folder.removesuffix(FOLDERS.get(kind, kind)) for kind, folder in used.items()}
        of_types = [f"{folder}/" for kind, folder in (types or {}).values() if kind not in FOLDERS]
        places |= {_ENTRIES for folder in of_types if folder.startswith(_ENTRIES)}
        place = places.pop() if len(places) == 1 else ""
        usual = {kind: f"{place}{folder}" if place.endswith("/") else folder for kind, folder in FOLDERS.items()}
        return cls(dialect, {**usual, **used}, dict(types or {}))

    def place_of(self, kind: str, entity_type: str = "") -> tuple[str, str]:
        """What a new page writes as its kind, and its folder: as the pages of its type do, else those of its kind."""
        return self.types.get(entity_type) or (kind, self.folders.get(kind, f"{kind}s"))

    @property
    def places(self) -> frozenset[str]:
        """All folders in which new pages may stand, the standard's among them."""
        return frozenset((*self.folders.values(), *(folder for _, folder in self.types.values()), *FOLDERS.values()))


def usual_folder(paths: Iterable[str]) -> str:
    """The folder that most of these pages are in; of folders by year the newest. Empty for pages at the root."""
    used = Counter(path.rpartition("/")[0] for path in paths)
    used.pop("", None)
    if not used:
        return ""
    most = max(used, key=lambda folder: (used[folder], folder))
    if not _YEAR.fullmatch(most.rpartition("/")[2]):
        return most
    above = most[:-4]
    return max(folder for folder in used if folder.startswith(above) and _YEAR.fullmatch(folder[len(above) :]))


_ENTRIES = "entries/"
_YEAR = re.compile(r"(19|20)\d\d")


class PageStore(Protocol):
    """Where a wiki's pages lie."""

    def entries(self) -> Iterable[PageEntry]: ...
    def paths(self) -> Iterable[tuple[str, str]]:
        """The path and the slug of each page, in order."""
        ...

    def kinds(self) -> Iterable[str]: ...
    def lines(self, kinds: Iterable[str]) -> Iterable[tuple[str, str, str]]:
        """The path, slug and line of the index of each page of these kinds, by slug and line."""
        ...

    def lines_near(self, paths: Iterable[str], slugs: Iterable[str]) -> Iterable[tuple[str, str, str, str]]:
        """Path, slug, kind and line of the pages at these paths, and of all that share a slug with one of those or have
        one of ``slugs``."""
        ...

    def by_slug(self, slug: str) -> PageEntry | None: ...
    def qualified(self, slug: str) -> Iterable[PageEntry]:
        """The pages whose slug begins with this one, and whose title ends in brackets."""
        ...

    def by_path(self, path: str) -> PageEntry | None: ...
    def named(self, keys: Iterable[str]) -> Mapping[str, list[str]]:
        """The slugs of the pages that go by each of these name keys (``names.name_key``)."""
        ...

    def inbound(self, slug: str) -> Iterable[str]:
        """The slugs of the pages that link to this one."""
        ...

    def citing(self, source: str) -> Iterable[str]:
        """The paths of the pages that have a footnote which cites the source at this path, in order."""
        ...

    def read(self, path: str) -> str | None:
        """The text of any file of the commit, or None."""
        ...

    def conventions(self) -> Conventions: ...


@dataclass(frozen=True)
class Wiki:
    """A wiki at one commit, with ``changed`` pages over it."""

    store: PageStore
    changed: Mapping[str, Page] = field(default_factory=dict)
    """New and edited pages by path."""
    gone: frozenset[str] = frozenset()
    """Paths of the pages that are not there any more."""

    def entries(self) -> Iterator[PageEntry]:
        """Every page's entry; changed ones as they are now."""
        for entry in self.store.entries():
            if not self.is_over(entry.path):
                yield entry
        for page in self.changed.values():
            yield PageEntry.of(page)

    def entry(self, slug: str) -> PageEntry | None:
        page = self._changed_by_slug.get(slug)
        if page is not None:
            return PageEntry.of(page)
        entry = self.store.by_slug(slug)
        return None if entry is None or self.is_over(entry.path) else entry

    def page(self, slug: str) -> Page | None:
        """The page with this slug, body and all."""
        if (page := self._changed_by_slug.get(slug)) is not None:
            return page
        entry = self.entry(slug)
        text = self.store.read(entry.path) if entry is not None else None
        return _recent_page(entry.path, text) if entry is not None and text is not None else None

    def page_at(self, path: str) -> Page | None:
        if path in self.changed:
            return self.changed[path]
        text = None if path in self.gone else self.store.read(path)
        return None if text is None else _recent_page(path, text)

    def has(self, path: str) -> bool:
        """True where a file lies already: a page, or one of somebody else's."""
        return path in self.changed or (path not in self.gone and self.store.read(path) is not None)

    def resolve(self, target: str) -> PageEntry | None:
        """What a link names: a path, a slug, or a title or alias as Obsidian resolves them."""
        if target.endswith(".md"):
            page = self.changed.get(target)
            if page is None and target in self.gone:
                return None
            return PageEntry.of(page) if page is not None else self.store.by_path(target)
        return self.entry(target) or self.named(target) or (self.resolve(f"{target}.md") if "/" in target else None)

    def supersedes(self, slug: str, wanted: str) -> bool:
        """True when the page ``slug`` supersedes ``wanted``, itself or by way of others; and in a chain without end."""
        seen, left = {slug}, [slug]
        while left and len(seen) < _LONGEST_CHAIN:
            entry = self.entry(left.pop())
            for name in entry.supersedes if entry is not None else ():
                if name == wanted:
                    return True
                if name not in seen:
                    seen.add(name)
                    left.append(name)
        return bool(left)

    def named(self, name: str) -> PageEntry | None:
        """The page that goes by ``name``: of several the one whose name is written so, a thing's before a summary."""
        found = self.called([name_key(name)]).get(name_key(name), [])
        return next((entry for entry in found if name in entry.names), found[0] if found else None)

    def named_all(self, keys: Iterable[str]) -> dict[str, PageEntry]:
        """The page for each of ``keys`` (``names.name_key``) that some page goes by; of several the first."""
        return {key: entries[0] for key, entries in self.called(keys).items()}

    def called(self, keys: Iterable[str]) -> dict[str, list[PageEntry]]:
        """The pages that go by each of ``keys``: things before summaries, changed ones first, then by slug."""
        wanted = set(keys) - {""}
        found: dict[str, list[PageEntry]] = {key: [] for key in wanted}
        for key, slugs in self.store.named(wanted).items():
            entries = [self.entry(slug) for slug in slugs if slug not in self._changed_by_slug]
            found[key] += [entry for entry in entries if entry is not None and key in map(name_key, entry.names)]
        for key, some in found.items():
            some += self._changed_by_name.get(key, ())
            some.sort(key=lambda entry: (entry.kind == "summary", entry.path not in self.changed, entry.slug))
        return {key: some for key, some in found.items() if some}

    def qualified(self, title: str) -> list[PageEntry]:
        """The pages titled ``title`` and a field in brackets: ``Java (language)``, for ``Java``."""
        begins = f"{title} ("
        stored = self.store.qualified(slugify(title))
        changed = map(PageEntry.of, self.changed.values())
        entries = (*(entry for entry in stored if not self.is_over(entry.path)), *changed)
        return [entry for entry in entries if entry.title.startswith(begins) and entry.kind != "summary"]

    def inbound(self, slug: str) -> set[str]:
        """The slugs of the pages that link to ``slug``, in their heads or bodies."""
        replaced = {page.slug for page in self.changed.values()}
        found = {source for source in self.store.inbound(slug) if source not in replaced and self.entry(source)}
        for page in self.changed.values():
            entry = PageEntry.of(page)
            if any((hit := self.resolve(target)) is not None and hit.slug == slug for target in entry.links):
                found.add(entry.slug)
        return found - {slug}

    def with_page(self, page: Page) -> Wiki:
        return Wiki(self.store, {**self.changed, page.path: page}, self.gone - {page.path})

    def without(self, path: str) -> Wiki:
        """The wiki without the page at ``path``."""
        changed = {place: page for place, page in self.changed.items() if place != path}
        return Wiki(self.store, changed, self.gone | {path})

    def is_over(self, path: str) -> bool:
        """True when the store's page at ``path`` is not the one that counts."""
        return path in self.changed or path in self.gone

    @cached_property
    def _changed_by_slug(self) -> dict[str, Page]:
        return {page.slug: page for page in self.changed.values()}

    @cached_property
    def _changed_by_name(self) -> dict[str, list[PageEntry]]:
        found: dict[str, list[PageEntry]] = {}
        for entry in map(PageEntry.of, self.changed.values()):
            for key in set(map(name_key, entry.names)):
                found.setdefault(key, []).append(entry)
        return found

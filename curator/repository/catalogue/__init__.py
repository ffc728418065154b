"""The catalogue: what is known of every page of one commit, in SQLite, so that no command reads all pages.

A cache, rebuilt from git whenever it is missing or of another version; nothing true lives here. Full text is kept
contentless (the pages are in git), so taking a page out needs the text it was put in with.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from curator.repository.catalogue import full_text, rows, term_counts
from curator.repository.catalogue.full_text import searchable
from curator.repository.catalogue.rows import Delta, OtherFile, PageRow, loaded
from curator.repository.catalogue.schema import FILE, PATIENCE, in_words, opened, unindexed, writing
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import FOLDERS, SEED_DIALECT, Page
from curator.wiki.sources.written_records import Proven
from curator.wiki.wiki import Conventions, PageEntry, usual_folder

__all__ = ["FILE", "Catalogue", "Delta", "PageRow", "loaded", "searchable"]


class Catalogue:
    """The pages of one commit. ``reader`` gives the text of any file of that commit."""

    def __init__(self, connection: sqlite3.Connection, reader: Callable[[str], str | None]) -> None:
        self._db = connection
        self._read = reader
        self._conventions: tuple[object, Conventions] | None = None

    @classmethod
    def open(cls, path: Path | None) -> Catalogue:
        """The catalogue in the file ``path`` (None: in memory), made anew when it is not a sound one."""
        return cls(opened(path), lambda _: None)

    def reading(self, reader: Callable[[str], str | None]) -> Catalogue:
        """The same catalogue, with bodies read by ``reader``."""
        return Catalogue(self._db, reader)

    @classmethod
    def of_pages(cls, pages: Iterable[Page], others: Mapping[str, str] | None = None) -> Catalogue:
        """A catalogue in memory of these pages, and other files by path."""
        texts = {**(others or {}), **{page.path: page.text for page in pages}}
        catalogue = cls.open(None).reading(texts.get)
        catalogue.make(
            "", "", (PageRow.of(path, text, "") for path, text in texts.items() if path not in (others or {}))
        )
        return catalogue

    @property
    def commit(self) -> str:
        """The commit the catalogue shows; empty when it is new."""
        row = self._db.execute("SELECT value FROM meta WHERE key='commit'").fetchone()
        return str(row[0]) if row else ""

    @property
    def is_written(self) -> bool:
        """True while another process is at work on it."""
        self._release()
        self._db.execute("PRAGMA busy_timeout=0")
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
        finally:
            self._release()
            self._db.execute(f"PRAGMA busy_timeout={PATIENCE * 1000:.0f}")
        return False

    @property
    def known_index(self) -> str:
        """The commit whose ``_index.md`` is known to be that of its pages, grouped by their kinds; empty for none."""
        row = self._db.execute("SELECT value FROM meta WHERE key='index'").fetchone()
        return str(row[0]) if row is not None else ""

    def proven_registry(self) -> tuple[str, Proven | None]:
        """The commit whose ``_manifest.json`` is known, and what of it; None where there is none."""
        row = self._db.execute("SELECT value FROM meta WHERE key='registry'").fetchone()
        commit, *proven = json.loads(row[0]) if row is not None else ("",)
        return commit, Proven(*proven) if proven else None

    def note(
        self, before: str, commit: str, deltas: Sequence[Delta], *, has_index: bool, registry: Proven | None
    ) -> None:
        """Remember of this commit whether ``_index.md`` was made of its pages, and what is known of ``_manifest.json``.

        Where the catalogue shows the commit ``before``, it shows this one now, by ``deltas``, if there are any.
        """
        noted = {"index": commit} if has_index else {}
        noted |= {"registry": json.dumps([commit, *registry])} if registry is not None else {}
        if deltas:
            self.update(before, commit, deltas, noted)
        elif noted:
            self._release()
            with in_words(), writing(self._db):
                self._note(noted)

    def _note(self, noted: Mapping[str, str]) -> None:
        self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", noted.items())

    def hold(self) -> str:
        """The commit the catalogue shows; from now on it shows this one, whatever other processes do, until ``update``."""
        self._release()
        self._db.execute("BEGIN")
        return self.commit

    def _release(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def update(self, shown: str, commit: str, deltas: Iterable[Delta], noted: Mapping[str, str] = {}) -> bool:
        """Make the catalogue, which shows the commit ``shown``, show ``commit``; ``noted`` it remembers besides.

        False when another process has been at it meanwhile, and it shows something else: look again.
        """
        with self._moving(shown, commit) as is_ours:
            for delta in deltas if is_ours else ():
                rows.change(self._db, delta)
            if is_ours:
                term_counts.count_if_grown(self._db)
            self._note(noted)
        return is_ours

    def make(self, shown: str, commit: str, pages: Iterable[PageRow | OtherFile]) -> bool:
        """Make the catalogue anew: it shows these pages, and no others. False as with ``update``."""
        with self._moving(shown, commit) as is_ours:
            if is_ours:
                rows.forget_all(self._db)
                with unindexed(self._db):
                    for row in pages:
                        rows.put(self._db, row)
                term_counts.count(self._db)
        return is_ours

    @contextmanager
    def _moving(self, shown: str, commit: str) -> Iterator[bool]:
        """From one commit to another in one transaction, if the first is still shown."""
        self._release()
        with in_words(), writing(self._db):
            is_ours = self.commit == shown
            yield is_ours
            if is_ours:
                self._db.execute("INSERT OR REPLACE INTO meta VALUES ('commit', ?)", (commit,))

    def close(self) -> None:
        self._db.close()

    # -- a page store -------------------------------------------------------------------------------------------------

    def read(self, path: str) -> str | None:
        return self._read(path)

    def entries(self) -> Iterator[PageEntry]:
        for (entry,) in self._db.execute("SELECT entry FROM page"):
            yield loaded(entry)

    def paths(self, behind: str = "") -> Iterator[tuple[str, str]]:
        """The path and the slug of each page ``behind`` that path, in order. No generator: it outlives its database."""
        return self._db.execute("SELECT path, slug FROM page WHERE path > ? ORDER BY path", (behind,))

    def kinds(self) -> frozenset[str]:
        return frozenset(row[0] for row in self._db.execute("SELECT DISTINCT kind FROM page"))

    def lines(self, kinds: Iterable[str]) -> Iterator[tuple[str, str, str]]:
        holes = ",".join("?" * len(some := list(kinds)))
        yield from self._db.execute(
            f"SELECT path, slug, line FROM page WHERE kind IN ({holes}) ORDER BY slug, line",  # noqa: S608
            some,
        )

    def lines_near(self, paths: Iterable[str], slugs: Iterable[str]) -> set[tuple[str, str, str, str]]:
        of_paths = (self._db.execute("SELECT slug FROM page WHERE path=?", (path,)).fetchone() for path in paths)
        wanted = {*slugs, *(row[0] for row in of_paths if row is not None)}
        query = "SELECT path, slug, kind, line FROM page WHERE slug=?"
        return {row for slug in wanted for row in self._db.execute(query, (slug,))}

    def blob(self, path: str, commit: str) -> str:
        """The id of a page's text in git; empty for what is no page, or when another commit is shown by now."""
        query = "SELECT blob FROM page, meta WHERE path=? AND meta.key='commit' AND meta.value=?"
        row = self._db.execute(query, (path, commit)).fetchone()
        return str(row[0]) if row else ""

    def newest(self, most: int) -> list[PageEntry]:
        """So many entries at most, those first that were updated last, as they say themselves."""
        query = "SELECT entry FROM page ORDER BY json_extract(entry, ?) DESC, path LIMIT ?"
        return [loaded(entry) for (entry,) in self._db.execute(query, (rows.UPDATED, most))]

    def first(self, most: int) -> list[PageEntry]:
        """So many entries at most, by their slugs; read by the index, so that the rest of a big wiki is not looked at."""
        query = "SELECT entry FROM page ORDER BY slug, path LIMIT ?"
        return [loaded(entry) for (entry,) in self._db.execute(query, (most,))]

    def count(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM page").fetchone()[0])

    def others(self) -> list[str]:
        """The paths of the Markdown files that could be pages, and by what they say are none, in order."""
        return [row[0] for row in self._db.execute("SELECT path FROM other ORDER BY path")]

    def by_slug(self, slug: str) -> PageEntry | None:
        row = self._db.execute("SELECT entry FROM page WHERE slug=? ORDER BY path LIMIT 1", (slug,)).fetchone()
        return loaded(row[0]) if row else None

    def qualified(self, slug: str) -> list[PageEntry]:
        query = "SELECT entry FROM page WHERE slug>? AND slug<? AND title LIKE '%)' ORDER BY path"
        return [loaded(row[0]) for row in self._db.execute(query, (f"{slug}-", f"{slug}."))]

    def by_path(self, path: str) -> PageEntry | None:
        row = self._db.execute("SELECT entry FROM page WHERE path=?", (path,)).fetchone()
        return loaded(row[0]) if row else None

    def named(self, keys: Iterable[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        remaining = iter(keys)
        while some := list(islice(remaining, 500)):
            holes = ",".join("?" * len(some))
            query = f"SELECT key, slug FROM name JOIN page ON page.id=name.page WHERE key IN ({holes})"  # noqa: S608
            for key, slug in self._db.execute(query, some):
                found.setdefault(key, []).append(slug)
        return found

    def inbound(self, slug: str) -> set[str]:
        entry = self.by_slug(slug)
        names = [entry.path.removesuffix(".md"), *entry.names] if entry else [slug]
        targets = [*{*map(name_key, names)}, *([entry.path] if entry else [])]
        holes = ",".join("?" * len(targets))
        query = f"SELECT DISTINCT slug FROM link JOIN page ON page.id=link.page WHERE target IN ({holes})"  # noqa: S608
        return {row[0] for row in self._db.execute(query, targets)}

    def citing(self, source: str) -> list[str]:
        query = "SELECT DISTINCT path FROM cited JOIN page ON page.id=cited.page WHERE source=? ORDER BY path"
        return [row[0] for row in self._db.execute(query, (source,))]

    def superseding(self, slug: str) -> list[str]:
        """The paths of the pages that supersede this one, in order."""
        query = "SELECT DISTINCT path FROM superseded JOIN page ON page.id=superseded.page WHERE superseded.slug=?"
        return sorted(row[0] for row in self._db.execute(query, (slug,)))

    def conventions(self) -> Conventions:
        """The dialect most pages have, and the folder most pages of each kind are in; counted once for what is shown."""
        shown = self.commit, self._db.total_changes
        if self._conventions is None or self._conventions[0] != shown:
            self._conventions = shown, self._counted_conventions()
        return self._conventions[1]

    def _counted_conventions(self) -> Conventions:
        dialect = self._db.execute(
            "SELECT dialect FROM page GROUP BY dialect ORDER BY count(*) DESC LIMIT 1"
        ).fetchone()
        folders: dict[str, str] = {}
        for kind in FOLDERS:
            paths = self._db.execute("SELECT path FROM page WHERE kind=? LIMIT 1000", (kind,))
            if folder := usual_folder(row[0] for row in paths):
                folders[kind] = folder
        types: dict[str, tuple[str, str]] = {}
        for name in self.types() - {*map(str.capitalize, FOLDERS), "Page", ""}:
            found = self._db.execute("SELECT kind, path FROM page WHERE type=? LIMIT 1000", (name,)).fetchall()
            if folder := usual_folder(path for _, path in found):
                kinds = Counter(kind for kind, _ in found)
                types[name] = max(kinds, key=lambda kind: (kinds[kind], kind)), folder
        return Conventions.of(dialect[0] if dialect else SEED_DIALECT, folders, types)

    def types(self) -> frozenset[str]:
        """The entity types that pages have."""
        # From one to the next by the index: DISTINCT reads all of it.
        each = "SELECT min(type) FROM page UNION ALL SELECT (SELECT min(type) FROM page WHERE type > name) FROM each"
        query = f"WITH RECURSIVE each (name) AS ({each} WHERE name IS NOT NULL) SELECT name FROM each"  # noqa: S608
        return frozenset(row[0] for row in self._db.execute(query) if row[0] is not None)

    # -- full text -----------------------------------------------------------------------------------------------

    def similar(self, text: str, limit: int) -> list[str]:
        """The slugs of the pages most like ``text`` by BM25 over its most telling words, best first."""
        return full_text.similar(self._db, text, limit)

    def search(self, text: str, limit: int, types: full_text.Types = None) -> list[tuple[str, float]]:
        """Slugs and scores (higher is better) of the pages that hold any word of ``text``; with phrases and ``-word``."""
        return full_text.search(self._db, text, limit, types)

    def any_of(self, text: str, limit: int, types: full_text.Types = None) -> list[tuple[str, float]]:
        """Slugs and scores of the pages that hold any word of ``text``."""
        return full_text.any_of(self._db, text, limit, types)

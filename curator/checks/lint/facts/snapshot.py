"""The wiki as the rules see it that look at all pages: one commit, its fact cache, sources, policy, and the time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from curator.checks.lint.facts.cache import FactCache
from curator.checks.lint.facts.page_facts import PageFacts
from curator.checks.lint.facts.policy import LintPolicy
from curator.checks.lint.facts.source_files import SourceFiles
from curator.errors import GitError
from curator.models.sandbox.source_texts import SourceTexts
from curator.repository.catalogue import loaded
from curator.repository.git import Changed, records
from curator.repository.snapshot import Snapshot
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page, is_page_path
from curator.wiki.references import is_among_files, lines_of_links
from curator.wiki.wiki import PageEntry, Wiki

_LOST = """
SELECT target FROM (SELECT DISTINCT target FROM cat.link) l
WHERE NOT EXISTS (SELECT 1 FROM cat.name n WHERE n.key = l.target)
AND NOT EXISTS (SELECT 1 FROM cat.page p WHERE p.path = l.target)
"""


@dataclass(frozen=True)
class LintContext:
    snapshot: Snapshot
    cache: FactCache
    source_files: SourceFiles
    source_texts: SourceTexts
    policy: LintPolicy
    now: datetime

    @property
    def wiki(self) -> Wiki:
        return self.snapshot.wiki

    def resolve(self, target: str) -> PageEntry | None:
        """The page a link names; every target is looked up once."""
        if target not in self._resolved:
            self._resolved[target] = self.wiki.resolve(target)
        return self._resolved[target]

    def is_broken(self, target: str) -> bool:
        """True for a link that leads to no page, to no source (which has a rule of its own) and to no other file."""
        return not target.startswith("sources/") and self.resolve(target) is None and not self.is_file(target)

    def key(self, target: str) -> str:
        """What the catalogue looks a link up by."""
        return target if target.endswith(".md") else name_key(target)

    @cached_property
    def _resolved(self) -> dict[str, PageEntry | None]:
        return {}

    def is_file(self, target: str) -> bool:
        """True for a link to a file of the commit that is no page: a picture, README.md."""
        return is_among_files(target, self._names)

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names of the files that are no pages; pages are resolved."""
        kept = self.still("names", self._adds_a_file)
        if kept is None:
            kept = "\0".join(sorted(self._listed()))
            self.keep("names", kept)
        return frozenset(kept.split("\0"))

    def _listed(self) -> set[str]:
        repository = self.snapshot.repository
        prefix, below = repository.prefix, ["--", repository.prefix.rstrip("/")] if repository.prefix else []
        listed = repository.git.output("ls-tree", "-r", "-z", "--name-only", "--full-tree", self.snapshot.base, *below)
        pages = {row[0] for row in self.cache.rows("SELECT path FROM cat.page")}
        return {path.rpartition("/")[2] for path in records(listed) if path.removeprefix(prefix) not in pages}

    def _adds_a_file(self, change: Changed) -> bool:
        """True when a file came or went that is no page, or may have been none."""
        sides = [side for side in (change.before, change.after) if side is not None]
        if is_page_path(change.path) and all(side.is_plain for side in sides):
            return self.snapshot.catalogue.by_path(change.path) is None
        return len(sides) == 1 or sides[0].mode != sides[1].mode

    @property
    def lost(self) -> str:
        """The name of a table of what links name and no page goes by, in its one column ``target``."""
        return self.table("lost", _LOST)

    def table(self, name: str, query: str) -> str:
        """The name of a table of the fact cache with what ``query`` gives for these pages; asked again when one changes."""
        if self.still(name, is_of_page) is None:
            with self.cache.step():
                self.cache.fill(name, query)
                self.keep(name, "")
        return f"main.{name}"

    # -- what was worked out for an earlier commit -----------------------------------------------------------------

    def keep(self, what: str, value: str) -> None:
        """Keep what was worked out for this commit."""
        with self.cache.step():
            self.cache.keep_known(what, value)
            self.cache.keep_known(f"{what} at", self.snapshot.base)

    def still(self, what: str, counts: Callable[[Changed], bool]) -> str | None:
        """What was kept as ``what``; None when there is nothing, or when a file that ``counts`` has changed since."""
        value, changes = self.cache.known(what), self.changes_since(what)
        if value is None or changes is None or any(map(counts, changes)):
            return None
        if changes:
            self.keep(what, value)
        return value

    def changes_since(self, what: str) -> Sequence[Changed] | None:
        """The files that have changed since ``what`` was kept; None when nothing was, or nobody can tell."""
        at = self.cache.known(f"{what} at")
        return () if at == self.snapshot.base else None if at is None else self._changes_since(at)

    def commit_with(self, what: str, value: str) -> str | None:
        """The commit for which ``value`` was kept as ``what``; None where it was not the last thing that was."""
        return self.cache.known(f"{what} at") if self.cache.known(what) == value else None

    def _changes_since(self, commit: str) -> Sequence[Changed] | None:
        """The files of the wiki that are not as in ``commit``; None when that is not there any more."""
        if commit not in self._changes:
            git, prefix = self.snapshot.repository.git, self.snapshot.repository.prefix
            is_there = git.commit_of(commit) is not None
            found = git.changes(commit, self.snapshot.base, prefix.rstrip("/")) if is_there else None
            self._changes[commit] = None if found is None else [_below(prefix, change) for change in found]
        return self._changes[commit]

    @cached_property
    def _changes(self) -> dict[str, Sequence[Changed] | None]:
        return {}

    # -- places on pages -------------------------------------------------------------------------------------------

    def line_of_link(self, path: str, target: str) -> int | None:
        """The line of the first link to ``target`` on a page; looked for once, while the page stays as it is."""
        line = self.cache.place(path, target)
        if line is None:
            page = self.page(path)
            places: dict[str, int] = {}
            for named, at in lines_of_links(page) if page is not None and page.is_readable else ():
                places.setdefault(named, at)
            self.cache.keep_places(path, places.items())
            line = places.get(target)
        return line

    def line_in_head(self, path: str, words: str) -> int:
        """The line of a page's head that has ``words``; else the first. Looked for once, too."""
        line = self.cache.place(path, f"{words}\0")
        if line is None:
            facts = self.facts(path)
            line = facts.line_of(words) if facts is not None else 1
            self.cache.keep_places(path, [(f"{words}\0", line)])
        return line

    def facts(self, path: str) -> PageFacts | None:
        entry, page = self.wiki.resolve(path), self.page(path)
        return PageFacts(path, page.text, entry) if entry is not None and page is not None else None

    def entry(self, row: str) -> PageEntry:
        """An entry from its column in the catalogue."""
        return loaded(row)

    def page(self, path: str) -> Page | None:
        blob = self.snapshot.catalogue.blob(path, self.snapshot.base)
        return self.page_of(path, blob) if blob else None

    def page_of(self, path: str, blob: str) -> Page | None:
        """The page at ``path``, where its text is that blob."""
        with suppress(GitError):  # missing, as in a partial clone
            if data := self.snapshot.repository.git.blob(blob):
                return Page(path, data.decode("utf-8", "replace"))
        return None

    def texts(self, pages: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """The texts of pages, by path and blob id, those that are there."""
        some = list(pages)
        found = self.snapshot.repository.git.contents([blob for _, blob in some])
        for (path, _), data in zip(some, found, strict=True):
            if data is not None:
                yield path, data.decode("utf-8", "replace")


def is_of_page(change: Changed) -> bool:
    """True when it may be a page that changed."""
    return is_page_path(change.path)


def _below(prefix: str, change: Changed) -> Changed:
    return change._replace(path=change.path.removeprefix(prefix))

"""Undoing commits: which are meant and what they did is read from git; ``undo_pages`` works out the pages without it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import takewhile

from curator.edits.undo_pages import PageBefore, take_back
from curator.errors import ConfigError, Conflict, meant_path
from curator.finding import Finding
from curator.repository import history
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet
from curator.repository.git import Blob
from curator.repository.history import CuratorCommit
from curator.repository.repository import Repository
from curator.system.text import counted, shortened
from curator.wiki import relink
from curator.wiki.pages import editing, footnote_edits
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page, is_page_path
from curator.wiki.pages.slug import slugify
from curator.wiki.relink import PageMove
from curator.wiki.sources import registry as manifest
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.wiki import PageEntry, Wiki

_MOST_TOLD = 20
"""Statements that stay, of which each is told."""


class CannotUndo(Conflict):
    """The commits cannot be undone: lines of theirs were changed since; ``findings`` lists them."""

    def __init__(self, findings: Sequence[Finding], hint: str) -> None:
        super().__init__("undo_conflict", f"{len(findings)} of its lines were changed since", hint)
        self.findings = tuple(findings)


def named_commits(repository: Repository, names: Sequence[str]) -> list[CuratorCommit]:
    """The commits that ``names`` (ids, or paths of sources: its newest) stand for, newest first. Raises ConfigError."""
    known = {commit.id: commit for commit in history.curator_commits(repository.git, "HEAD", folder=repository.prefix)}
    gone = history.undone(list(known.values()), history.reverted(repository.git, "HEAD"))
    chosen = {each for name in names for each in _chosen(name, known, gone, repository)}
    _check_merged(chosen, known, gone, repository)
    return [commit for commit in known.values() if commit.id in chosen]


def _check_merged(
    chosen: Collection[str], known: dict[str, CuratorCommit], gone: Collection[str], repository: Repository
) -> None:
    """Raises ConfigError when a page that one of the commits made or changed is part of another by now."""
    since: dict[str, str] = {}
    for commit in known.values():  # newest first
        if commit.id in chosen:
            slugs = {page.slug for pages in _pages(commit, repository) for page in pages if page and page.is_readable}
            if parted := sorted(slugs & since.keys()):
                ids = dict.fromkeys(since[slug][:12] for slug in parted)
                message = f"{parted[0]}, a page of {commit.id[:12]}, was merged or split since"
                raise ConfigError("undo_merged", message, f"curate undo {' '.join((*ids, commit.id[:12]))}")
        elif commit.id not in gone:
            moves = (*commit.all(history.MERGED), *commit.all(history.SPLIT))
            since |= {value.split(" ")[0]: commit.id for value in moves}


def ingests_of(repository: Repository, path: str) -> list[CuratorCommit]:
    """Every ingest of a source that still stands, newest first, by whatever name it had then."""
    found = list(history.curator_commits(repository.git, "HEAD", folder=repository.prefix))
    gone = history.undone(found, history.reverted(repository.git, "HEAD"))
    return [commit for name, commit in history.by_source(found, gone) if name == path and commit.id not in gone]


def _chosen(name: str, known: dict[str, CuratorCommit], gone: set[str], repository: Repository) -> list[str]:
    standing = [(path, commit) for path, commit in history.by_source(known.values(), gone) if commit.id not in gone]
    if ingests := [commit for path, commit in standing if name == path]:
        same = takewhile(lambda commit: commit.digest == ingests[0].digest, ingests)
        return [commit.id for commit in same if commit is ingests[0] or _made_the_same(commit, ingests[0])]
    commit_id = repository.git.commit_of(name) if re.fullmatch(r"[0-9a-fA-F]{4,64}", name) else None
    if commit_id is None:
        raise _unknown(name, [path for path, _ in standing])
    commit = known.get(commit_id)
    if commit is None:
        hint = f"git revert {commit_id[:12]}"
        raise ConfigError("undo_foreign", f"{commit_id[:12]} is no commit of curator's", hint)
    if commit_id in gone:
        raise ConfigError("undo_twice", f"{commit_id[:12]} is taken back already", "git log shows by which commit")
    if renamed := commit.one(history.RENAMED):
        old, new = renamed.split(" ")[:2]
        name = shlex.quote(_title(old, commit, repository))
        raise ConfigError("undo_rename", f"{commit_id[:12]} renamed a page", f"curate rename {new} {name}")
    for old, new in commit.moved.items():
        names = f"{shlex.quote(new)} {shlex.quote(old)}"
        hint = f"give the file its old name: mv {names}; then: curate ingest {shlex.quote(old)}"
        raise ConfigError("undo_rename", f"{commit_id[:12]} followed {old} to the name {new}", hint)
    if commit.one(history.APPROVED):
        hint = "take the change of the rules itself back, commit that, and approve it"
        raise ConfigError(
            "undo_approval", f"{commit_id[:12]} says that rules are approved, and changed nothing else", hint
        )
    return [commit_id]


def _made_the_same(one: CuratorCommit, other: CuratorCommit) -> bool:
    """True of one ingest done in two clones and rebased: the later commit changes hardly a thing, the earlier did it."""
    made = {bullet for bullet in one.bullets if bullet.startswith("created ")}
    return not made.isdisjoint(other.bullets)


def _unknown(name: str, sources: Sequence[str]) -> ConfigError:
    """With the source whose name is like it; a page's name is no source's, and an ingest of it may be meant."""
    hint = "curate log shows the ids; curate log --page SLUG the ingests that a page comes from"
    message = f"{name!r} is no commit and no source that is in{meant_path(name, sources)}"
    return ConfigError("undo_unknown", message, hint)


def _title(slug: str, commit: CuratorCommit, repository: Repository) -> str:
    """What the page was called before ``commit``, where that gives its slug back; else the slug."""
    found = (page for page, _ in _pages(commit, repository) if page is not None and page.is_readable)
    return next((page.title for page in found if page.slug == slug == slugify(page.title)), slug)


def undo_commits(commits: Sequence[CuratorCommit], transaction: Transaction, now: datetime) -> ChangeSet:
    """The wiki without ``commits`` (newest first). Raises CannotUndo, or ConfigError when nothing of them is left."""
    wiki, known = transaction.wiki, transaction.manifest()
    findings: list[Finding] = []
    borne_out: dict[tuple[str, str], None] = {}
    made: set[str] = set()
    for commit in commits:
        reader = _CommittedPages(transaction, commit)
        changes = list(reader.page_changes())
        taken = take_back(wiki, changes, now, transaction.registry)
        wiki, known = taken.wiki, _manifest(known, *reader.manifests())
        borne_out |= dict.fromkeys(taken.borne_out)
        made |= {change.path for change in changes if change.found is None}
        for path, clash in taken.clashes:
            lines = shortened(" / ".join(clash.ours or ("it is gone",)))
            message = f"what {commit.id[:12]} did here was changed since: {lines}"
            findings.append(Finding("undo_conflict", path, message))
    if findings:
        raise CannotUndo(findings, _what_came_later(commits, transaction, {finding.path for finding in findings}))
    for slug in {slug for record in known.sources.values() for slug in record.slugs}:
        known = known if wiki.entry(slug) is not None else known.with_slug(slug, None)
    if not wiki.changed and not wiki.gone and known == transaction.manifest():
        raise ConfigError("undo_empty", "nothing is left of it in the wiki", "there is nothing to do")
    bullets, trailers = _bullets(commits, wiki, transaction), _trailers(commits, wiki, transaction)
    stays = _what_stays(wiki, made, borne_out)
    return ChangeSet(wiki, known, _subject(commits), (*bullets, *stays), trailers)


def remove_source(
    path: str, why: str, commits: Sequence[CuratorCommit], transaction: Transaction, now: datetime
) -> ChangeSet:
    """The wiki without a source that its owner has deleted: all its ingests taken back, the file out of the tree."""
    done = undo_commits(commits, transaction, now)
    return replace(
        done,
        manifest=done.manifest.with_record(path, None),
        subject=f"remove {path}",
        bullets=(f"removed {path}: {why}", *(b for b in done.bullets if not b.startswith("took back "))),
        trailers=(*done.trailers, f"{history.RETIRED}: {path}"),
        files=dict.fromkeys(transaction.left_of(path)),
    )


def _manifest(now: SourceManifest, found: SourceManifest, left: SourceManifest) -> SourceManifest:
    """The manifest without what the commit did to it; a source that came in anew since stays."""
    for path in sorted({*found.sources, *left.sources}):
        before, after, record = found.record(path), left.record(path), now.record(path)
        if before != after and (record and record.content_hash) == (after and after.content_hash):
            if before is not None and after is not None and record is not None:
                before = record.taken_back(before, after)
            now = now.with_record(path, before)
    return now


# -- what a commit did --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _CommittedPages:
    """A commit's pages, as they would be if every page that was renamed or removed since had been so then."""

    transaction: Transaction
    commit: CuratorCommit

    def page_changes(self) -> Iterator[PageBefore]:
        moves, names = list(self._moves_since()), history.names_after(self._since)
        for versions in _pages(self.commit, self.transaction.repository):
            found, left = (page and footnote_edits.with_sources_renamed(page, names) for page in versions)
            path = (left or found or Page("", "")).path
            for move in moves:
                found, left = (relink.relinked(page, move) if page else None for page in (found, left))
                if move.after is not None and path == move.before.path:
                    path = move.after.path
            yield PageBefore(path, found and replace(found, path=path), left and replace(left, path=path))

    def manifests(self) -> tuple[SourceManifest, SourceManifest]:
        return self._manifest_at(_parent(self.commit)), self._manifest_at(self.commit.id)

    def _manifest_at(self, commit: str) -> SourceManifest:
        repository = self.transaction.repository
        data = repository.git.blob(f"{commit}:{repository.prefix}{manifest.PATH}") or b""
        known, names = SourceManifest.parse(data.decode("utf-8", "replace")), history.names_after(self._since)
        found = {path: known.record(path) for path in names if path in known.sources}
        return known.with_records({**dict.fromkeys(found), **{names[path]: each for path, each in found.items()}})

    @cached_property
    def _since(self) -> list[CuratorCommit]:
        """Curator's commits since that were not taken back, newest first."""
        repository, span = self.transaction.repository, f"{self.commit.id}..{self.transaction.base}"
        found = list(history.curator_commits(repository.git, span, folder=repository.prefix))
        gone = history.undone(found, history.reverted(repository.git, span))
        return [commit for commit in found if commit.id not in gone]

    def _moves_since(self) -> Iterator[PageMove]:
        for commit in reversed(self._since):
            renamed = dict(value.split(" ")[:2] for value in commit.all(history.RENAMED))
            removed = commit.all(history.REMOVED)
            if renamed or removed:
                yield from _moves(list(_pages(commit, self.transaction.repository)), renamed, removed)


def _pages(commit: CuratorCommit, repository: Repository) -> Iterator[tuple[Page | None, Page | None]]:
    """Each page the commit touched: as it found it, as it left it."""

    def page(path: str, blob: Blob | None) -> Page | None:
        data = repository.git.blob(blob.oid) if blob is not None else None
        return None if data is None else Page(path, data.decode("utf-8", "replace"))

    prefix = repository.prefix
    for change in repository.git.changes(_parent(commit), commit.id, prefix.rstrip("/")):
        path = change.path.removeprefix(prefix)
        if is_page_path(path):
            yield page(path, change.before), page(path, change.after)


def _parent(commit: CuratorCommit) -> str:
    if len(commit.parents) != 1:
        raise ConfigError("undo_merge", f"{commit.id[:12]} has {len(commit.parents)} parents", "git revert -m 1 it")
    return commit.parents[0]


def _moves(
    pages: list[tuple[Page | None, Page | None]], renamed: dict[str, str], removed: list[str]
) -> Iterator[PageMove]:
    gone = {found.slug: found for found, left in pages if found is not None and left is None and found.is_readable}
    made = {left.slug: left for found, left in pages if left is not None and found is None and left.is_readable}
    given = {name_key(name) for left in made.values() for name in PageEntry.of(left).names}
    for slug, page in gone.items():
        if slug in renamed and renamed[slug] in made:
            yield PageMove(PageEntry.of(page), PageEntry.of(made[renamed[slug]]))
        elif slug in removed:
            # Without the names that a page has which came for it: links by those went nowhere.
            entry = PageEntry.of(page)
            aliases = (alias for alias in entry.aliases if name_key(alias) not in given)
            yield PageMove(replace(entry, aliases=tuple(aliases)), None)


# -- what is said of it -------------------------------------------------------------------------------------------


def _subject(commits: Sequence[CuratorCommit]) -> str:
    if len(commits) == 1:
        return f"undo {commits[0].id[:12]} {commits[0].subject}"
    return f"undo {len(commits)} commits: {', '.join(commit.id[:12] for commit in commits)}"


def _bullets(commits: Sequence[CuratorCommit], wiki: Wiki, transaction: Transaction) -> Iterator[str]:
    if len(commits) > 1:
        yield from (f"took back {commit.id[:12]} {commit.subject}" for commit in commits)
    yield from (f"removed {slug}" for slug in _removed(wiki, transaction))
    for path, page in sorted(wiki.changed.items()):
        verb = "updated" if transaction.wiki.page_at(path) is not None else "brought back"
        yield f"{verb} [[{page.slug}]]"


def _what_stays(wiki: Wiki, made: Collection[str], borne_out: Collection[tuple[str, str]]) -> Iterator[str]:
    """What of the commits does not go: pages that they made and others wrote on, statements that others prove too."""
    for path in sorted(made):
        if (page := wiki.page_at(path)) is not None:
            later = sum(not editing.is_navigation(b) for b in page.outline.blocks if b.kind in editing.CLAIMS)
            yield f"kept [[{page.slug}]]: {counted(later, 'statement')} on it came from elsewhere"
    for path, statement in list(borne_out)[:_MOST_TOLD]:
        page = wiki.page_at(path)
        block = None if page is None else next((b for b in page.outline.blocks if _is(b, statement)), None)
        if page is not None and block is not None:
            others = sorted({page.citations[label].path for label in block.citations if label in page.citations})
            yield f"kept on [[{page.slug}]], proven by {', '.join(others)} too: {shortened(block.text)}"
    if len(borne_out) > _MOST_TOLD:
        yield f"kept {len(borne_out) - _MOST_TOLD} more statements that other sources prove too"


def _is(block: Block, statement: str) -> bool:
    return editing.words_of(without_marks(block.text)) == editing.words_of(statement)


def _trailers(commits: Sequence[CuratorCommit], wiki: Wiki, transaction: Transaction) -> tuple[str, ...]:
    undone = (
        f"{history.UNDONE}: {' '.join(filter(None, (commit.id, commit.source, commit.digest)))}" for commit in commits
    )
    return (*undone, *(f"{history.REMOVED}: {slug}" for slug in _removed(wiki, transaction)))


def _removed(wiki: Wiki, transaction: Transaction) -> list[str]:
    pages = (transaction.wiki.page_at(path) for path in sorted(wiki.gone))
    return [page.slug for page in pages if page is not None]


def _what_came_later(commits: Sequence[CuratorCommit], transaction: Transaction, paths: set[str]) -> str:
    """The commits to take back first, when all that is in the way was done by ingests."""
    repository = transaction.repository
    span = f"{commits[-1].id}..{transaction.base}"
    touching = repository.git.log("--format=%H", span, "--", *sorted(paths)).split("\n")
    since = list(history.curator_commits(repository.git, span, folder=repository.prefix))
    gone = history.undone(since)
    later = [d for d in since if d.id in touching and d.id not in gone and not d.all(history.UNDONE)]
    chosen = {commit.id: commit for commit in (*later, *commits)}
    if len(chosen) == len(commits):
        return "edit the pages by hand first, so that these lines are gone or as they were"
    ids = " ".join(commit[:12] for commit in chosen)
    return f"take back what came later too: curate undo {ids}; or edit the pages by hand"

"""A batch: entries, new names and deletions committed together or not at all (AIP-10, curated layer; ADDENDA, Entries).

Pure: a wiki and a batch in; what is to be committed, and all that is wrong with it, out. In this order:

1. The entries are written, so that they may name each other.
2. Pages get their new names, and every link follows, in heads and bodies, those in the entries too. So an entry that is
   renamed along is written under the slug it has before.
3. Pages go, and links to them become plain text. An entry that asks for a page that goes is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from curator.edits import batch_entries as entries
from curator.edits import rename
from curator.edits.batch_entries import BatchContext, Entries, Surroundings, Written
from curator.errors import ConfigError, FrontmatterError
from curator.repository.change_set import ChangeSet
from curator.system.text import counted
from curator.wiki.pages.page import Page
from curator.wiki.pages.slug import is_slug, slugify
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.taken_names import name_refused
from curator.wiki.validation import Failure, field_name
from curator.wiki.wiki import Wiki

APPLIED = "Curator-Applied"
"""The trailer of a batch's commit: how many entries it wrote."""
_PATH = "batch"
"""Where a finding is that is about no page."""


@dataclass(frozen=True)
class Batch:
    """What a host wants done to a wiki, all of it or nothing."""

    entries: Sequence[Written] = ()
    """Whole pages, new ones and ones that replace the page of their slug: each a text, a pair of fields and body, or what
    ``define_entry`` gives."""
    renames: Mapping[str, str] = field(default_factory=dict)
    """By the slug of a page its new one, or its new title, of which the slug is made; the old title stays an alias."""
    deletions: Mapping[str, str] = field(default_factory=dict)
    """By the slug of a page the reason why it goes."""
    why: str = ""
    """The reason for the whole, for the log."""


@dataclass(frozen=True)
class BatchPlan:
    """What becomes of a batch. Pages go by the slugs they have in the end; deleted ones, by those they had."""

    change_set: ChangeSet
    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    deleted: tuple[str, ...] = ()
    relinked: tuple[str, ...] = ()
    """Pages of which only links or relations were changed."""
    moved: Mapping[str, str] = field(default_factory=dict)
    """By the path of a renamed page the one it has in the end."""
    failures: tuple[Failure, ...] = ()
    is_whole: bool = True
    """False when a part of the batch could not be worked out, so that the wiki is not the one that was meant."""

    @property
    def is_idle(self) -> bool:
        """True when the wiki is already as the batch wants it."""
        return not self.change_set.wiki.changed and not self.change_set.wiki.gone


@dataclass(frozen=True)
class _Step:
    """The wiki after some parts of a batch, and what they did."""

    wiki: Wiki
    manifest: SourceManifest
    trailers: tuple[str, ...] = ()
    moves: Mapping[str, str | None] = field(default_factory=dict)
    """By slug the new one; None for a page that went."""
    failures: tuple[Failure, ...] = ()

    def failed(self, *failures: Failure) -> _Step:
        return replace(self, failures=(*self.failures, *failures))

    def then(self, done: ChangeSet, old: str, new: str | None) -> _Step:
        trailers = (*self.trailers, *done.trailers)
        return replace(self, wiki=done.wiki, manifest=done.manifest, trailers=trailers, moves={**self.moves, old: new})


def planned(batch: Batch, wiki: Wiki, manifest: SourceManifest, surroundings: Surroundings) -> BatchPlan:
    """What becomes of ``batch`` in ``wiki``; a plan with failures is not to be committed."""
    found = entries.read_entries(batch.entries, wiki, surroundings.types)
    written = Wiki(wiki.store, {page.path: page for page in found.pages})
    step = _Step(written, manifest)
    for old, new in batch.renames.items():
        step = _renamed(step, old, new, wiki)
    for slug, reason in batch.deletions.items():
        step = _removed(step, slug, reason, wiki) if slug not in batch.renames else step
    renamed = {old: new for old, new in step.moves.items() if new is not None}
    context = BatchContext(wiki, written, _without_idle(step.wiki), renamed)
    failures = (
        *_of_request(batch, found),
        *found.failures,
        *entries.names_are_free(found.pages, context),
        *entries.references_resolve(found, context, surroundings),
        *entries.names_are_kept(found.pages, context, surroundings),
        *step.failures,
    )
    plan = _plan(batch, found.pages, context, step)
    return replace(plan, failures=failures, is_whole=not found.failures and not step.failures)


def _of_request(batch: Batch, found: Entries) -> Iterator[Failure]:
    """What is wrong with the batch whatever the wiki is."""
    if not batch.entries and not batch.renames and not batch.deletions:
        yield Failure("batch_empty", _PATH, "it has no entries, no renames and no deletions")
        return
    if not _folded(batch.why):
        yield Failure("reason_missing", _PATH, "why: empty; wanted: the reason, for the log", field="why")
    for slug, reason in batch.deletions.items():
        where = field_name(("deletions", slug))
        if not _folded(reason):
            yield Failure("reason_missing", _PATH, f"{where}: empty; wanted: the reason, for the log", field=where)
        if slug in batch.renames or slug in found.slugs:
            does = "renamed" if slug in batch.renames else "written"
            yield Failure("batch_invalid", _PATH, f"{where}: it is {does} in the same batch", field=where)


def _renamed(step: _Step, old: str, new: str, before: Wiki) -> _Step:
    """One page under another name. That has to be free before the batch: what is renamed in turn has no order."""
    new = _folded(new)
    slug = new if is_slug(new) else slugify(new)
    try:
        page = _known(before, old)
        if slug == old and new in (old, page.title):
            return step
        taken = before.entry(slug)
        if taken is not None and taken.slug != old:
            raise name_refused(new, taken)
        return step.then(rename.rename(step.wiki, step.manifest, old, new), old, slug)
    except (ConfigError, FrontmatterError) as error:
        return step.failed(_of_error(error, field_name(("renames", old))))


def _removed(step: _Step, slug: str, reason: str, before: Wiki) -> _Step:
    try:
        _known(before, slug)
        return step.then(rename.remove(step.wiki, step.manifest, slug, _folded(reason)), slug, None)
    except (ConfigError, FrontmatterError) as error:
        return step.failed(_of_error(error, field_name(("deletions", slug))))


def _known(wiki: Wiki, slug: str) -> Page:
    """The page with this very slug: what goes by a mere name is not taken away. Raises ConfigError."""
    page = rename.known_page(wiki, slug)
    if page.slug != slug:
        raise ConfigError("page_unknown", f"there is no page with the slug {slug!r}", f"did you mean {page.slug}?")
    return page


def _of_error(error: ConfigError | FrontmatterError, where: str) -> Failure:
    code, hint = (error.code, error.hint) if isinstance(error, ConfigError) else ("page_unreadable", "")
    return Failure(code, _PATH, f"{where}: {error.message}", hint=hint, field=where)


def _without_idle(wiki: Wiki) -> Wiki:
    """``wiki`` without the changes that leave a page as it is."""
    changed = {path: page for path, page in wiki.changed.items() if page.text != wiki.store.read(path)}
    return Wiki(wiki.store, changed, wiki.gone)


# -- what is said of it --------------------------------------------------------------------------------------------


def _plan(batch: Batch, pages: Sequence[Page], context: BatchContext, step: _Step) -> BatchPlan:
    created: list[str] = []
    updated: list[str] = []
    for page in pages:
        old = context.before.page_at(page.path)
        if old is None or old.text != page.text:
            (created if old is None else updated).append(context.renamed.get(page.slug, page.slug))
    others = {page.slug for page in context.after.changed.values()}
    relinked = sorted(others - {*created, *updated, *context.renamed.values()})
    deleted = tuple(slug for slug, new in step.moves.items() if new is None)
    bullets = [f"why: {_folded(batch.why)}"]
    bullets += [f"created [[{slug}]]" for slug in created]
    bullets += [f"updated [[{slug}]]" for slug in updated]
    bullets += [f"renamed {old} to [[{new}]]" for old, new in context.renamed.items()]
    bullets += [f"removed {slug}: {_folded(batch.deletions[slug])}" for slug in deleted]
    bullets += [f"links changed in {', '.join(f'[[{slug}]]' for slug in relinked)}"] if relinked else []
    entries_made = len(created) + len(updated)
    parts = ((entries_made, "entry", "entries"), (len(context.renamed), "rename", ""), (len(deleted), "deletion", ""))
    subject = ", ".join(counted(*part) for part in parts if part[0])
    trailers = (f"{APPLIED}: {entries_made}", *step.trailers)
    did = ChangeSet(context.after, step.manifest, f"batch of {subject}", tuple(bullets), trailers)
    moved = {path: page.path for path, page in _moved(context)}
    return BatchPlan(did, tuple(created), tuple(updated), context.renamed, deleted, tuple(relinked), moved)


def _moved(context: BatchContext) -> Iterator[tuple[str, Page]]:
    for old in context.renamed:
        before, page = context.before.entry(old), context.page_of(old)
        if before is not None and page is not None:
            yield before.path, page


def _folded(text: str) -> str:
    """On one line: a reason is one bullet in the log and the commit, and no trailer; a title is one line."""
    return " ".join(str(text).split())

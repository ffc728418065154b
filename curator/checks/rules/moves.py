"""Rules on pages that get another title, become one, or part: what they said is said, with its proofs.

A person may do that as they like. Where a model asks for it, the source has to bear it out, and it is little at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

from curator.checks.rules.change import Change
from curator.finding import Finding
from curator.system.text import shortened
from curator.wiki import merging
from curator.wiki.naming import regrouping
from curator.wiki.naming.terms import terms_of
from curator.wiki.pages import editing
from curator.wiki.pages.citation import Citation
from curator.wiki.pages.editing import CLAIMS
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page

MOST_RENAMED, MOST_MERGED, MOST_MOVED = 2, 2, 5
"""Pages that one source renames, pages that it makes part of others, statements that it moves."""


def page_lost(change: Change) -> Iterator[Finding]:
    """page_lost: a page goes only into others: each of its statements stands there in the same words, with its citations,
    and so does a statement that moves to another page.
    """
    now: dict[str, frozenset[Citation]] = {}
    for page in change.after.changed.values():
        for words, cited in merging.statements(page).items():
            now[words] = now.get(words, frozenset()) | cited
    for page in filter(None, map(change.old, sorted({*change.after.gone, *change.after.changed}))):
        for words, cited in merging.statements(page).items():
            if words not in now or not cited <= now[words]:
                yield Finding("page_lost", page.path, f"is not on any page with its proofs: {shortened(words)}")


def rename_unstated(change: Change) -> Iterator[Finding]:
    """rename_unstated: a page gets another title only where the source calls its thing so, or a clause of source or page
    says of which kind or field it is: ``Capability (Linux)``. Its slug stays, and the title that it had is a name of it.
    """
    for old, page in _retitled(change):
        fault = regrouping.rename_fault(
            old, page.title, terms_of(change.evidence), lambda name: change.before.named(name) is not None
        )
        if not fault and (old.slug != page.slug or old.title not in page.aliases):
            fault = "its slug stays, and its old title is an alias"
        if fault:
            yield Finding("rename_unstated", page.path, f"title {shortened(page.title)}: {fault}")


def merge_unstated(change: Change) -> Iterator[Finding]:
    """merge_unstated: a page becomes part of another only where the source says that both names are one thing's, or where
    one is its title, whose end it has for that, too, and for nothing else.

    In earnest, in a sentence that denies, doubts and quotes nothing. Neither is a summary, nor contradicts or
    supersedes the other, nor has a part of its user's own.
    """
    for other, page in _merged(change):
        if page is None:
            yield Finding("merge_unstated", other.path, f"no page has {other.title!r} among its names now")
        elif fault := regrouping.merge_fault(page, other, terms_of(change.evidence)):
            yield Finding("merge_unstated", other.path, f"not part of {page.slug}: {fault}")


def move_unnamed(change: Change) -> Iterator[Finding]:
    """move_unnamed: a statement goes to another page only where it names that page's thing, before its own page's.

    Openings, disputes, and what is understood only where it stands, stay. It keeps the heading that it stood under.
    """
    for block, page, target in _moved(change):
        fault = regrouping.move_fault(page, block, target, terms_of(change.evidence))
        if not fault and _headings(page, block) != _headings(target, _same(target, block)):
            fault = "it stands under other headings there"
        if fault:
            yield Finding("move_unnamed", page.path, f"to {target.slug}: {shortened(block.text)}: {fault}")


def regrouped_too_much(change: Change) -> Iterator[Finding]:
    """regrouped_too_much: one source renames 2 pages, makes 2 part of others and moves 5 statements at most."""
    counts = (
        (len(list(_retitled(change))), MOST_RENAMED, "pages get another title"),
        (len(change.after.gone - change.before.gone), MOST_MERGED, "pages become part of others"),
        (len(list(_moved(change))), MOST_MOVED, "statements go to other pages"),
    )
    for count, most, what in counts:
        if count > most:
            yield Finding("regrouped_too_much", change.source.path, f"{count} {what}; {most} at most for one source")


def _retitled(change: Change) -> Iterator[tuple[Page, Page]]:
    for path, page in change.pages.items():
        old = change.old(path)
        if old is not None and old.title != page.title:
            yield old, page


def _merged(change: Change) -> Iterator[tuple[Page, Page | None]]:
    """Each page that is gone, and the one that bears its name now, as both were before: one that did not before, if any."""
    for path in sorted(change.after.gone - change.before.gone):
        other = change.old(path)
        if other is None:
            continue
        name = name_key(other.title)
        heirs = [(change.old(page.path), page) for page in change.pages.values() if _is_called(page, name)]
        heirs.sort(key=lambda heir: heir[0] is None or _is_called(heir[0], name))
        yield other, heirs[0][0] if heirs else None


def _is_called(page: Page, name: str) -> bool:
    return name in map(name_key, (page.title, *page.aliases))


def _moved(change: Change) -> Iterator[tuple[Block, Page, Page]]:
    """Each statement that a page has no more, with that page as it was and the one that has got it."""
    for path, page in change.pages.items():
        old = change.old(path)
        if old is None:
            continue
        now = merging.statements(page)
        for block in old.outline.blocks:
            words = merging.words_in(block)
            if block.kind in CLAIMS and words and words not in now and words in merging.statements(old):
                others = (each for each in change.pages.values() if each.path != path)
                yield from ((block, old, each) for each in others if words in merging.statements(each))


def _same(page: Page, block: Block) -> Block | None:
    return next(
        (
            each
            for each in page.outline.blocks
            if each.kind in CLAIMS and merging.words_in(each) == merging.words_in(block)
        ),
        None,
    )


def _headings(page: Page, block: Block | None) -> list[str]:
    return [] if block is None else [editing.words_of(each.text) for each in regrouping.above(page, block)]

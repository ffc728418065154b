"""Pages that are regrouped for a source: another title, two made one, a statement put where it belongs.

Worked out when all else of a draft has passed the wall, operation by operation; one that breaks a rule is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from curator.checks import rules
from curator.checks.rules.change import Change
from curator.errors import ConfigError, FrontmatterError
from curator.finding import Finding
from curator.ingest.drafting.drafted import Draft, DraftContext
from curator.ingest.drafting.page_edits import DoesNotFit, block_with
from curator.models.proposal import Merge, Move, Proposal, Regrouping, Rename
from curator.wiki import merging
from curator.wiki.naming.regrouping import above
from curator.wiki.pages.page import Page
from curator.wiki.relink import retitled
from curator.wiki.wiki import Wiki

CODES = ("rename_unstated", "merge_unstated", "move_unnamed", "regrouped_too_much", "regrouping_unfit")
"""What is wrong with such an operation; what it would have done is worth less than a repair costs."""


def regrouped(draft: Draft, proposal: Proposal, context: DraftContext) -> Draft:
    """``draft`` with the operations that regroup pages, as far as the rules let them pass."""
    work = _Regrouping(draft.wiki, context, draft.wiki)
    for number, operation in enumerate(proposal.operations, start=1):
        if isinstance(operation, Regrouping):
            work.carry_out(operation, str(number))
    if work.wiki is draft.wiki:
        return replace(draft, left_out=(*draft.left_out, *work.left_out))
    return replace(
        draft.of(work.dated()),
        left_out=(*draft.left_out, *work.left_out),
        merged=tuple(work.merged),
        moved=tuple(dict.fromkeys(work.moved)),
        renamed=tuple(work.renamed),
    )


@dataclass
class _Regrouping:
    base: Wiki
    """The draft, before any of it."""
    context: DraftContext
    wiki: Wiki
    left_out: list[Finding] = field(default_factory=list)
    merged: list[tuple[str, str]] = field(default_factory=list)
    moved: list[tuple[str, str]] = field(default_factory=list)
    renamed: list[str] = field(default_factory=list)
    _touched: set[str] = field(default_factory=set)

    def carry_out(self, operation: Regrouping, number: str) -> None:
        try:
            after = self._after(operation)
        except (ConfigError, FrontmatterError, DoesNotFit) as error:
            self._leave_out("regrouping_unfit", f"{operation.op} {operation.page}: {error.message}", number)
            return
        found = next(self._broken(after), None)
        if found is not None:
            self._leave_out(found.code, f"{operation.op} {operation.page}: {found.message}", number)
            return
        self.wiki = after
        self._note(operation)

    def dated(self) -> Wiki:
        """The wiki with the day on every page that took part."""
        wiki = self.wiki
        for page in [page for page in wiki.changed.values() if page.slug in self._touched]:
            if "updated_at" in page.fields:
                wiki = wiki.with_page(page.with_fields(updated_at=self.context.stamp))
        return wiki

    def _after(self, operation: Regrouping) -> Wiki:
        """Raises ConfigError, FrontmatterError, DoesNotFit."""
        page = self._page(operation.page)
        if isinstance(operation, Rename):
            title = " ".join(operation.title.replace("`", "").split())
            if not title or title == page.title:
                raise DoesNotFit("rename_same", f"it is called {page.title!r} already")
            return self.wiki.with_page(retitled(page, page.slug, title))
        other = self._page(operation.other if isinstance(operation, Merge) else operation.to)
        if page.path == other.path or page.dialect != other.dialect:
            raise DoesNotFit("page_same", "it takes two pages, with heads of one form")
        if isinstance(operation, Merge):
            return merging.merged(self.wiki, page, other)
        block = block_with(page, operation.passage)
        heading = "".join(page.body[each.start : each.end].strip() for each in above(page, block)[-1:])
        return merging.moved(self.wiki, page, block, other, heading)

    def _page(self, slug: str) -> Page:
        page = self.wiki.page(slug)
        if page is None or not page.is_readable:
            raise DoesNotFit("page_unknown", f"there is no page {slug!r}")
        return page.with_newline("\n")

    def _broken(self, after: Wiki) -> Iterator[Finding]:
        context = self.context
        change = Change(context.source, context.judge, context.policy, self.base, after, {}, context.now)
        return (finding for rule in rules.REGROUPED for finding in rule(change))

    def _note(self, operation: Regrouping) -> None:
        self._touched.add(operation.page)
        if isinstance(operation, Merge):
            self.merged.append((operation.other, operation.page))
        elif isinstance(operation, Move):
            self._touched.add(operation.to)
            self.moved.append((operation.page, operation.to))
        else:
            self.renamed.append(operation.page)

    def _leave_out(self, code: str, message: str, number: str) -> None:
        self.left_out.append(Finding(code, self.context.source.path, message, places=(number,)))

"""The names that a proposal gives: titles of new pages, aliases, headings. Each is proven, or left out and named.

Nothing is cited for a name, so code asks the source: is a thing called so there? What is no name goes back to the model
once, as a claim without evidence does; a page that has no name is not made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from curator.finding import Finding
from curator.models.proposal import Create
from curator.system.text import shortened
from curator.wiki.naming import aliases as naming
from curator.wiki.naming.labels import label_fault
from curator.wiki.naming.terms import Terms, terms_of
from curator.wiki.naming.titles import title_fault
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import LONGEST_TITLE, Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import CurationPolicy

_OF_SOURCE = " (source)"


@dataclass
class Names:
    """The names of one proposal, judged by its source."""

    evidence: Evidence
    policy: CurationPolicy
    wiki: Wiki
    """As it was before."""
    titles: frozenset[str] = frozenset()
    """The name keys of all titles that the proposal gives."""
    left_out: list[Finding] = field(default_factory=list)
    _aliases: int = 0
    """So many were taken, of so many that were asked for."""
    _asked: int = 0

    def with_its_bar(self, create: Create) -> Create:
        """``create`` with the title that its source writes with a bar: a reply may mean that, or an alias, by ``X | Y``."""
        if not create.aliases:
            return create
        terms, (first, *others) = terms_of(self.evidence), create.aliases
        written = f"{create.title.rpartition(' ')[2]} | {first}"
        stands = terms.title.endswith(written) or f"`{written}`" in terms.text
        if not stands or not naming.alias_fault(first, create.title, create.kind, terms):
            return create
        return create.model_copy(update={"title": f"{create.title} | {first}", "aliases": tuple(others)})

    def sound(self, create: Create, is_known: Callable[[Create], bool]) -> Create | None:
        """``create`` with the names that hold; None when its page has none. ``is_known``: it goes to a page that is there.

        A summary is titled by code where the model titled it otherwise than the source is.
        """
        create = create.model_copy(update={"aliases": self.aliases(create.title, create.kind, create.aliases)})
        if is_known(create) or self.policy.grounding != "required":
            return create
        terms = terms_of(self.evidence)
        fault = title_fault(create.kind, create.title, terms, self._is_page)
        if create.kind == "summary":
            title = self._title_of_source(terms, create.title) if fault else create.title
            return create.model_copy(update={"title": title, "aliases": self._with_number(terms, create.aliases)})
        if fault:
            message = f"no page is made of {create.title!r}: {fault}; title it as the source names it"
            self.left_out.append(Finding("title_unknown", self.evidence.path, message))
        return None if fault else create

    def _with_number(self, terms: Terms, given: tuple[str, ...]) -> tuple[str, ...]:
        """``given`` with the document's number in its series, by which others name it: no title needs to have it."""
        taken = name_key(terms.number) in {*self.titles, *map(name_key, given)} or self._is_page(terms.number)
        return (*given, terms.number) if terms.number and not taken else given

    def aliases(self, title: str, kind: str, given: Iterable[str], text: str = "") -> tuple[str, ...]:
        """Those of the aliases ``given`` that the source, or the ``text`` of the page, has for what ``title`` names."""
        found: list[str] = []
        for alias in dict.fromkeys(given):
            if alias == title:
                continue
            self._asked += 1
            fault = "too many are given"
            if self._asked <= 2 * naming.MOST_AN_INGEST:
                fault = naming.alias_fault(alias, title, kind, terms_of(self.evidence), text)
            if not fault and name_key(alias) != name_key(title) and name_key(alias) in self.titles:
                fault = "another page has this title"
            if not fault and (len(found) >= naming.MOST_AT_ONCE or self._aliases >= naming.MOST_AN_INGEST):
                fault = (
                    f"{naming.MOST_AT_ONCE} are the most for a page at once, and {naming.MOST_AN_INGEST} for a source"
                )
            if fault:
                message = f"no alias of {title!r}: {shortened(alias)} ({fault})"
                self.left_out.append(Finding("alias_unknown", self.evidence.path, message))
                continue
            found.append(alias)
            self._aliases += 1
        return tuple(found)

    def more_aliases(self, page: Page, given: Iterable[str], names: Wiki) -> tuple[str, ...]:
        """Those of ``given`` that are new to ``page`` and to ``names``; none where its metadata is not ours alone."""
        if set(page.fields.get("metadata") or {}) - {"curator"}:
            return ()
        new = [alias for alias in given if names.named(alias) is None]
        return self.aliases(page.title, page.kind, new, page.body)

    def label_fault(
        self, text: str, page: Page, names: Wiki, is_column: bool = False, below: str = ""
    ) -> Finding | None:
        """What is wrong with a heading or the head of a column that ``page`` is to get; ``names`` knows every page."""
        if self.policy.grounding != "required":
            return None
        headings = (block.text for block in page.outline.headings)
        called = (page.title, *page.aliases, *headings, *self.policy.section_names)

        def is_page(name: str) -> bool:
            return names.named(name) is not None

        fault = label_fault(text, terms_of(self.evidence), called, is_page, is_column=is_column, below=below)
        message = f"on {page.slug!r}, {shortened(text)}: {fault}"
        return Finding("label_unknown", self.evidence.path, message) if fault else None

    def _title_of_source(self, terms: Terms, given: str) -> str:
        """What the source is called, where no page is and none of the proposal's, but for the one titled ``given``."""
        title = terms.title[:LONGEST_TITLE]
        is_taken = self._is_page(title) or name_key(title) in self.titles - {name_key(given)}
        is_none = is_taken or title_fault("summary", title, terms, self._is_page)
        return f"{title[: LONGEST_TITLE - len(_OF_SOURCE)].rstrip()}{_OF_SOURCE}" if is_none else title

    def _is_page(self, name: str) -> bool:
        return self.wiki.named(name) is not None


def titles_of(creates: Iterable[Create]) -> frozenset[str]:
    return frozenset(name_key(create.title) for create in creates)

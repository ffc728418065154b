"""The new pages of a proposal before any is written: their kinds, their names, their slugs.

They are known first, so that the claims of one may link to the others, whatever their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from curator.finding import Finding
from curator.ingest.drafting import naming, new_page
from curator.ingest.drafting.claims import writer as claims
from curator.models.proposal import Claim, Create
from curator.wiki.naming.homonyms import are_kinds_apart, kind_of, other_kind
from curator.wiki.naming.titles import QUALIFIED
from curator.wiki.naming.unnamed import is_unnamed
from curator.wiki.pages import timeline
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import DERIVED, Page
from curator.wiki.pages.slug import slugify
from curator.wiki.sources.evidence import HEAD_FIELD
from curator.wiki.sources.source import Source
from curator.wiki.support.written import names_of
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import CurationPolicy


@dataclass
class NewPages:
    """The new pages that one proposal announces."""

    source: Source
    policy: CurationPolicy
    stamp: str
    base: Wiki
    """As it was before."""
    naming: naming.Names
    writer: claims.ClaimWriter
    taken: frozenset[str] = frozenset()
    """Slugs that none of them gets."""
    names: Wiki = field(init=False)
    """The wiki with every page that is announced, as it is proposed, so that links between new pages resolve."""
    _blanks: dict[Create, Page] = field(default_factory=dict)
    """The announced pages, without their bodies."""
    _summary: str = ""
    """The title of the summary, once it is known."""
    _types: dict[Create, str] = field(default_factory=dict)
    """The entity types of new pages, those that have one of the wiki's own."""

    def __post_init__(self) -> None:
        self.names = self.base

    def kind_fault(self, create: Create) -> str:
        """What is wrong with the kind that is asked for; empty for nothing."""
        known = new_page.kinds(self.policy)
        wanted = ", ".join(name or kind for kind, name in known.values())
        return "" if create.kind.casefold() in known else f"kind: {create.kind!r}; wanted: one of {wanted}"

    def filed(self, create: Create) -> Create | None:
        """``create`` with one of the standard's kinds and the names that hold; None for a page that has no name.

        A type of the wiki's own is filed under the kind it extends. A timeline that dates fewer than two events is none:
        the page is about a term like others; what only the source's head dates is a part of its summary.
        """
        create = self.naming.with_its_bar(create)
        kind, name = new_page.kinds(self.policy).get(create.kind.casefold(), ("concept", ""))
        events = create.body if kind == "timeline" else ()
        standing = [claim for claim in events if claims.is_heading(claim) or self.writer.may_stand(claim, create)]
        if kind == "summary":
            self._summary = self._summary or create.title
        if kind == "timeline" and sum(timeline.dated(claim.text) for claim in standing) < 2:
            kind = "concept"
        elif kind == "timeline" and self._summary and all(map(_is_of_head, standing)):
            heading = [Claim(text="## History")] if not any(map(claims.is_heading, create.body)) else []
            body = (*heading, *create.body)
            kind, create = "summary", create.model_copy(update={"title": self._summary, "aliases": (), "body": body})
        title = create.title.replace("`", "").strip() or create.title  # a name is words, be it one of code
        aliases = tuple(alias.replace("`", "").strip() for alias in create.aliases)
        filed = create.model_copy(update={"kind": kind, "title": title, "aliases": tuple(filter(None, aliases))})
        if kind in ("entity", "concept"):
            filed = self._told_apart(filed)
        named = self.naming.sound(filed, self._is_known) if slugify(filed.title) else filed
        if name and named is not None:
            self._types[named] = name
        return named

    def _told_apart(self, create: Create) -> Create:
        """``create``, titled with its field where a page that is called so is about another thing."""
        page = new_page.existing(create, self.source, self.base)
        field = self._other_kind(page, create.body) if page is not None else ""
        if page is None or not field:
            return create
        taken = {name_key(name) for name in (page.title, *page.aliases)}
        aliases = tuple(alias for alias in create.aliases if name_key(alias) not in taken)
        return create.model_copy(update={"title": f"{create.title} ({field})", "aliases": aliases})

    def name_fault(self, create: Create, page: Page) -> Finding | None:
        """That there is ``page``, which has another title, or says that it is something else; else None.

        None for this source's summary, and for a page of this title of which nothing speaks for two things.
        """
        if self.is_spelt_apart(create, page):
            message = (
                f"no page is made of {create.title!r}: {page.slug} ({page.title}) is another thing, whose name differs in "
                "capitals only; title it so that the two are told apart"
            )
        elif create.kind != "summary" and (said := self._said_in_doubt(create, page)) is not None:
            message = (
                f"no page is made of {create.title!r}: it exists as {page.slug} ({page.title}{said}), where its "
                "statements are added; if it is another thing, title it so that the two are told apart"
            )
        else:
            return None
        return Finding("page_exists", self.source.path, message)

    def _said_in_doubt(self, create: Create, page: Page) -> str | None:
        """What ``page`` says that its thing is, where ``create`` may tell of another one; None where nothing speaks for it.

        Too little may be said of both for code to part them: ``Java``, an island, and a language.
        """
        if name_key(create.title) != name_key(page.title):
            return ""
        body = [claim.text for claim in create.body]
        if page.cites(self.source.path) or not are_kinds_apart(page, body, create.title):
            return None
        return f", which is said to be: {kind}" if (kind := kind_of(page)) else ""

    def is_spelt_apart(self, create: Create, page: Page) -> bool:
        """True for the name of ``page`` in other capitals, by statements of which none makes it a thing of its kind."""
        names = (page.title, *page.aliases)
        if create.kind == "summary" or create.title in names or page.cites(self.source.path):
            return False
        is_alike = any(name.casefold() == create.title.casefold() for name in names)
        return is_alike and are_kinds_apart(page, [claim.text for claim in create.body], create.title)

    def other_thing(self, page: Page, body: Sequence[Claim], where: str) -> Finding | None:
        """That ``body`` tells of another thing than ``page``: one only called alike, or one that the source never names.

        None when it does not.
        """
        path = self.source.path
        if self._is_unnamed(page):
            return Finding(
                "other_thing", path, f"{where}: the source says nothing of {page.title!r}, nor by another name of it"
            )
        field = self._other_kind(page, body)
        message = (
            f"{where}: {page.slug} is about another thing that is called so; make a page {f'{page.title} ({field})'!r}"
        )
        return Finding("other_thing", path, message) if field else None

    def _is_unnamed(self, page: Page) -> bool:
        is_of_others = page.is_readable and page.kind not in ("summary", *DERIVED) and not page.cites(self.source.path)
        is_asked = self.policy.grounding == "required" and is_of_others and self.base.page_at(page.path) is not None
        return is_asked and is_unnamed((page.title, *page.aliases, kind_of(page)), self.writer.judge.source)

    def _other_kind(self, page: Page, body: Sequence[Claim]) -> str:
        if not page.is_readable or page.cites(self.source.path):
            return ""
        return other_kind(page, [claim.text for claim in body if _is_new(claim, page)])

    def _is_known(self, create: Create) -> bool:
        return new_page.existing(create, self.source, self.base) is not None

    def announce(self, creates: Iterable[Create]) -> None:
        """Make the new pages known by name, those that will have something to say; summaries yield their slug."""
        for create in sorted(creates, key=lambda create: create.kind == "summary"):
            if not slugify(create.title) or new_page.existing(create, self.source, self.names):
                continue
            page = self._blank(create, self.base)
            names = names_of(page) if page.is_readable else ()
            if any(self.writer.may_stand(claim, create, names) for claim in create.body):
                self._blanks[create] = page
                qualified = QUALIFIED.match(create.title) if create.kind != "summary" else None
                if qualified and (other := self.base.named(qualified["name"])):
                    self.writer.subject_field.others.add(other.slug)
                self.names = self.names.with_page(page.with_body(f"{page.body}\n\n{_said(create)}\n"))

    def blank(self, create: Create, wiki: Wiki) -> Page:
        """The page without a body; its slug is free in ``wiki``."""
        return self._blanks.get(create) or self._blank(create, wiki)

    def _blank(self, create: Create, wiki: Wiki) -> Page:
        reserved = {*self.taken, *(page.slug for page in self._blanks.values())}
        entity_type = self._types.get(create, "")
        return new_page.blank(create, self.source, wiki, self.stamp, reserved, entity_type, self.policy.dialect)


def _is_of_head(claim: Claim) -> bool:
    """True for a claim that only quotes lines of a document's head, ``Created: 04-Sep-2015``; and for a heading."""
    return claims.is_heading(claim) or all(HEAD_FIELD.match(quote.strip()) for quote in claim.quotes)


def _is_new(claim: Claim, page: Page) -> bool:
    """False for a heading, and for what stands on the page."""
    return not claims.is_heading(claim) and claim.text.strip() not in page.text


def _said(create: Create) -> str:
    """What a page is to say, with its quotes: whether its name is a common noun is seen there."""
    return "\n\n".join("\n\n".join((claim.text, *claim.quotes)) for claim in create.body)

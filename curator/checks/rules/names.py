"""Rules on names, which nobody can cite: titles, aliases, the words of links.

A name is a claim: "Miracle cure" as a title says something of a thing, and an alias decides on which page later facts go.
So the source has to give the thing this name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from curator.checks.rules.change import Change
from curator.checks.rules.claims import label_of
from curator.checks.rules.edits import Edit, edits
from curator.checks.rules.links import target_of
from curator.checks.rules.urls import WEB
from curator.finding import Finding
from curator.system.text import shortened
from curator.wiki.autolink import leads_aright
from curator.wiki.english.words import phrase
from curator.wiki.naming import aliases
from curator.wiki.naming.terms import terms_of
from curator.wiki.naming.titles import title_fault
from curator.wiki.pages.link_targets import scheme_of
from curator.wiki.pages.markdown import Link

_HOST = re.compile(r"(?:https?://|(?<![\w.])(?=www\.))([\w.-]+)", re.IGNORECASE)


def title_unknown(change: Change) -> Iterator[Finding]:
    """title_unknown: a new page is called what the source calls it; a summary is called what its source is.

    What stands in brackets is a kind or a field that a clause of the source gives this thing (``Mercury (planet)``), or of
    a term the coined name that the source is titled by (``Journal (UBIFS)``).
    """
    if change.policy.grounding != "required":
        return
    terms = terms_of(change.evidence)
    for edit in edits(change):
        page = edit.page
        if edit.old is None and (
            fault := title_fault(page.kind, page.title, terms, lambda name: change.before.named(name) is not None)
        ):
            yield Finding("title_unknown", page.path, f"title: {shortened(page.title)}: {fault}")


def link_label(change: Change) -> Iterator[Finding]:
    """link_label: the words of a new link name the page it leads to, or name nothing; an address is that of the link.

    The words of a link out of the wiki stand in the source beside its address, and name no page.
    """
    for edit in edits(change):
        old = {edit.old.body[link.start : link.end] for link in edit.old.outline.links} if edit.old else set[str]()
        for link in edit.page.outline.links:
            written = edit.page.body[link.start : link.end]
            if written not in old and _misleads(change, edit, link, label_of(written)):
                message = f"the words {shortened(label_of(written))} name something else than {link.target[:60]}"
                yield Finding("link_label", edit.page.path, message, edit.line(link))


def alias_unknown(change: Change) -> Iterator[Finding]:
    """alias_unknown: a new alias is a name that the source or the page gives this very thing, and they are few."""
    terms, count = terms_of(change.evidence), 0
    for edit in edits(change):
        known = {*edit.old.aliases} if edit.old else set()
        new = [alias for alias in edit.page.aliases if alias not in known]
        text = edit.old.body if edit.old else ""
        for alias in new:
            if fault := aliases.alias_fault(alias, edit.page.title, edit.page.kind, terms, text):
                yield Finding("alias_unknown", edit.page.path, f"alias {shortened(alias)}: {fault}")
        count += len(new)
        if len(new) > aliases.MOST_AT_ONCE:
            message = f"{len(new)} new aliases; a page gets {aliases.MOST_AT_ONCE} at most at once"
            yield Finding("alias_unknown", edit.page.path, message)
    if count > aliases.MOST_AN_INGEST:
        message = f"{count} new aliases; a source brings {aliases.MOST_AN_INGEST} at most"
        yield Finding("alias_unknown", change.source.path, message)


def _misleads(change: Change, edit: Edit, link: Link, label: str) -> bool:
    if link.form in ("auto", "image", "embed"):
        return False
    entry = target_of(change, edit.page, link) if link.target else None
    if entry is not None:
        return not leads_aright(label, entry, change.after.resolve, link.anchor)
    hosts = {host.casefold().removeprefix("www.") for host in _HOST.findall(label)}
    if hosts:
        return not hosts <= {(urlsplit(link.target).hostname or "").removeprefix("www.")}
    return scheme_of(link.target) in WEB and _names_another(change, label, link)


def _names_another(change: Change, label: str, link: Link) -> bool:
    """True for words of a link out of the wiki that the source has nowhere beside its address, or that name a page."""
    url = f"{link.target}#{link.anchor}" if link.anchor else link.target
    if label.strip("`*_ ") in (url, url.partition("://")[2], urlsplit(url).hostname):
        return False
    text = change.evidence.document.text
    if re.search(rf"\[{_spaced(label)}\]\(\s*<?{re.escape(url)}|`{_spaced(label)}\s*<{re.escape(url)}>`", text):
        return False  # the source's own link
    layout = change.judge.source.layout
    beside = [text for text in map(layout.of, layout.blocks) if url in text]
    near = phrase(" ".join(beside).replace(url, " "))
    told = [word for word in phrase(label).words if word.is_content or word.is_number]
    is_page = change.before.named(label) is not None or change.after.named(label) is not None
    return is_page or (bool(beside) and not all(near.has_kin_of(word) for word in told))


def _spaced(label: str) -> str:
    return r"\s+".join(map(re.escape, label.split()))

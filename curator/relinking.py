"""Links follow a page that gets another name, and become plain words when their page goes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from curator.markdown import Link
from curator.names import name_key
from curator.page import Page, path_from
from curator.wiki import Entry, Wiki

RELATIONS = ("contradicts", "supersedes")


@dataclass(frozen=True)
class Move:
    """A page that got another name; ``after`` is None when it is gone."""

    before: Entry
    after: Entry | None

    @cached_property
    def _lost(self) -> set[str]:
        """The name keys that lead to the page no more."""
        kept = self.after.names if self.after else ()
        return set(map(name_key, self.before.names)) - set(map(name_key, kept))

    def concerns(self, target: str) -> bool:
        """True when a link to ``target`` (as ``Page.links`` gives it) led to the page and would not do so any more."""
        written = (self.before.slug, self.before.path, self.before.path.removesuffix(".md"))
        return target in written or name_key(target) in self._lost


def follow(wiki: Wiki, move: Move) -> Wiki:
    """``wiki``, in which the move has been made, with every link to the page changed accordingly."""
    changed = [page.slug for page in wiki.changed.values()]
    for slug in sorted({*wiki.inbound(move.before.slug), *_related(wiki, move.before.slug), *changed}):
        page = wiki.page(slug)
        after = relinked(page, move, wiki) if page is not None and page.is_readable else page
        if after is not None and after != page:
            wiki = wiki.with_page(after)
    return wiki


def relinked(page: Page, move: Move, wiki: Wiki | None = None) -> Page:
    """``page`` with its links and relations as ``move`` leaves them.

    When the page is gone, a link is left that leads to another page of that name in ``wiki``.
    """
    body = page.body
    for target, link in reversed(list(page.links)):
        leads = move.after is None and wiki is not None and wiki.resolve(target) is not None
        if move.concerns(target) and not leads:
            start, end = link.start, link.end
            text = _rewritten(body[start:end], link, page, move)
            if move.after is None and (item := _item_of_this_alone(body, start, end)):
                (start, end), text = item, ""
            body = body[:start] + text + body[end:]
    body = "".join(_definitions(body, page, move))
    changes = {key: list(found) for key in RELATIONS if (found := _relations(page, key, move)) != getattr(page, key)}
    if body != page.body:
        page = page.with_body(body)
    return page.with_fields(**changes) if changes else page


_WIKI = re.compile(
    r"(?P<open>!?\[\[)(?P<target>[^\]|#\\]*)(?P<anchor>#[^\]|\\]*)?(?:(?P<bar>\\?\|)(?P<label>.*))?\]\]", re.DOTALL
)
_INLINE = re.compile(r"!?\[(?P<label>.*)\]\((?P<lead>\s*<?)(?P<path>[^)\s>#]*)(?P<rest>.*)\)", re.DOTALL)
_USE = re.compile(r"\[(?P<label>.*?)\](?:\[[^\]]*\])?", re.DOTALL)
_DEFINITION = re.compile(r"(?P<lead>[ ]{0,3}\[[^\]^][^\]]*\]:[ \t]*<?)(?P<path>[^\s>#]+)(?P<rest>.*)", re.DOTALL)


def _rewritten(raw: str, link: Link, page: Page, move: Move) -> str:
    if link.form in ("wiki", "embed"):
        return _wiki_link(raw, move)
    if link.form == "reference":  # the definition is what names the page
        match = _USE.fullmatch(raw)
        return raw if move.after is not None or match is None else match["label"]
    match = _INLINE.fullmatch(raw)
    if match is None:
        return raw
    if move.after is None:
        return match["label"]
    start, end = match.span("path")
    return raw[:start] + _path_on(page, move.after.path, match["path"]) + raw[end:]


def _item_of_this_alone(body: str, start: int, end: int) -> tuple[int, int] | None:
    """The line of a list item that is nothing but the link: without the link it would say nothing."""
    begin, stop = body.rfind("\n", 0, start) + 1, body.find("\n", end)
    stop = len(body) if stop < 0 else stop + 1
    alone = re.fullmatch(r"\s*[-*+] ", body[begin:start]) and not body[end:stop].strip()
    return (begin, stop) if alone else None


def _wiki_link(raw: str, move: Move) -> str:
    match = _WIKI.fullmatch(raw)
    if match is None:
        return raw
    if move.after is None:
        return str(match["label"] or match["target"])
    target = move.after.slug
    if "/" in match["target"] or match["target"].endswith(".md"):
        target = move.after.path if match["target"].endswith(".md") else move.after.path.removesuffix(".md")
    label = "" if match["label"] is None else match["bar"] + match["label"]
    return f"{match['open']}{target}{match['anchor'] or ''}{label}]]"


def _definitions(body: str, page: Page, move: Move) -> Iterator[str]:
    """The lines of ``body``, those that define a link to the page changed or left out."""
    for line in body.splitlines(keepends=True):
        match = _DEFINITION.fullmatch(line)
        if match is None or path_from(page.path, match["path"]) != move.before.path:
            yield line
        elif move.after is not None:
            yield match["lead"] + _path_on(page, move.after.path, match["path"]) + match["rest"]


def _path_on(page: Page, path: str, written: str) -> str:
    """``path`` as a link on ``page`` writes it, from the root if ``written`` was."""
    shown = "/" + path if written.startswith("/") else posixpath.relpath(path, posixpath.dirname(page.path) or ".")
    return quote(shown, safe="/-_.~")


def _relations(page: Page, key: str, move: Move) -> tuple[str, ...]:
    after = (move.after.slug,) if move.after is not None else ()
    found = [new for slug in getattr(page, key) for new in (after if slug == move.before.slug else (slug,))]
    return tuple(dict.fromkeys(found))


def _related(wiki: Wiki, slug: str) -> Iterator[str]:
    """The pages whose relations name ``slug``; relations are not links, so all entries are looked at."""
    return (entry.slug for entry in wiki.entries() if slug in (*entry.contradicts, *entry.supersedes))

"""A page gets another name, and links follow; they become plain words when their page goes. Those of heads go with it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import quote

from curator.errors import ConfigError, FrontmatterError
from curator.wiki.pages import inline
from curator.wiki.pages.aliases import alias_fields
from curator.wiki.pages.editing import words_of
from curator.wiki.pages.markdown import Link
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page, named_in_head, path_from
from curator.wiki.wiki import PageEntry, Wiki

NAMING = ("contradicts", "supersedes", "links")
"""The fields of a head that name pages."""


@dataclass(frozen=True)
class PageMove:
    """A page that got another name; ``after`` is None when it is gone."""

    before: PageEntry
    after: PageEntry | None
    keeps_words: bool = False
    """A link by the slug alone keeps what it was read as: the page it leads to now has another name."""
    called: frozenset[str] = frozenset()
    """The name keys of a part of the page that went: only links in these words follow. Empty: all of the page went."""

    def words_of(self, target: str) -> str:
        """What a link by ``target`` alone is read as from now on, where its words stay; else nothing."""
        if not self.keeps_words or "/" in target:
            return ""
        title = self.before.title
        return inline.escape(title) if words_of(title) == words_of(target) else target

    @cached_property
    def _lost(self) -> set[str]:
        """The name keys that lead to the page no more."""
        kept = self.after.names if self.after else ()
        return set(map(name_key, self.before.names)) - set(map(name_key, kept))

    def concerns(self, target: str) -> bool:
        """True when a link to ``target`` (as ``Page.links`` gives it) led to the page by its slug, its path, or a name that
        it has no more.
        """
        written = (self.before.slug, self.before.path, self.before.path.removesuffix(".md"))
        return target in written or name_key(target) in self._lost

    def means(self, written: str) -> bool:
        """True when the link ``written`` is to what went."""
        match = _WIKI.fullmatch(written) or _INLINE.fullmatch(written)
        label = match and (match["label"] or match.groupdict().get("target"))
        return not self.called or (bool(label) and name_key(label) in self.called)


def retitled(page: Page, slug: str, title: str, *, keeps: bool = True) -> Page:
    """``page`` with a new slug and, where one is given, a new title in head and first heading.

    The old one is an alias where it ``keeps`` that.
    """
    changes: dict[str, object] = {"slug": slug} if "slug" in page.fields else {}
    if not title or title == page.title:
        return page.with_fields(**changes) if changes else page
    old, body = page.title, page.body
    heading = next((block for block in page.outline.headings if block.level == 1), None)
    if heading is not None and heading.text == old:
        body = f"{body[: heading.start]}# {inline.escape(title)}{body[heading.end :]}"
        if "title" not in page.fields:
            title = ""
    if keeps:
        changes |= alias_fields(page, (alias for alias in (*page.own_aliases, old) if alias != title))
    return page.with_body(body).with_fields(**changes, **({"title": title} if title else {}))


def follow(wiki: Wiki, move: PageMove) -> Wiki:
    """``wiki``, in which the move has been made, with every link to the page changed accordingly. Raises ConfigError."""
    changed = [page.slug for page in wiki.changed.values()]
    for slug in sorted({*wiki.inbound(move.before.slug), *_related(wiki, move), *changed}):
        page = wiki.page(slug)
        if page is None or not page.is_readable:
            continue
        try:
            after = relinked(page, move, wiki)
        except FrontmatterError as error:
            hint = f"take {move.before.slug} out of its head first"
            raise ConfigError("page_unreadable", f"{page.path}: {error.message}", hint) from error
        wiki = wiki.with_page(after) if after != page else wiki
    return wiki


def relinked(page: Page, move: PageMove, wiki: Wiki | None = None) -> Page:
    """``page`` with its links and relations as ``move`` leaves them.

    When the page is gone, a link is left that leads to another page of that name in ``wiki``. Raises FrontmatterError.
    """
    body = page.body
    for target, link in reversed(list(page.links)):
        leads = move.after is None and wiki is not None and wiki.resolve(target) is not None
        if move.concerns(target) and not leads and move.means(body[link.start : link.end]):
            start, end = link.start, link.end
            text = _rewritten(body[start:end], link, page, move)
            if move.after is None and (item := _item_of_this_alone(body, start, end)):
                (start, end), text = item, ""
            body = body[:start] + text + body[end:]
    body = body if move.called else "".join(_definitions(body, page, move))
    if body != page.body:
        page = page.with_body(body)
    if move.called or not page.is_readable:
        return page
    named = {key: page.fields[key] for key in NAMING if key in page.fields}
    changes = {key: after for key, value in named.items() if (after := _named(value, key, move, wiki)) != value}
    return page.with_fields(**changes) if changes else page


_WIKI = re.compile(
    r"(?P<open>!?\[\[)(?P<target>[^\]|#\\]*)(?P<anchor>#[^\]|\\]*)?(?:(?P<bar>\\?\|)(?P<label>.*))?\]\]", re.DOTALL
)
_INLINE = re.compile(r"(?=.*\)\Z)!?\[(?P<label>.*)\]\((?P<lead>\s*+<?)(?P<path>[^)\s>#]*+)(?P<rest>.*)\)", re.DOTALL)
_USE = re.compile(r"\[(?P<label>.*?)\](?:\[[^\]]*\])?", re.DOTALL)
_DEFINITION = re.compile(r"(?P<lead>[ ]{0,3}\[[^\]^][^\]]*\]:[ \t]*<?)(?P<path>[^\s>#]+)(?P<rest>.*)", re.DOTALL)


def _rewritten(raw: str, link: Link, page: Page, move: PageMove) -> str:
    if link.form in ("wiki", "embed"):
        line = page.body[page.body.rfind("\n", 0, link.start) + 1 : link.start]
        return _wiki_link(raw, move, "\\|" if line.lstrip().startswith("|") else "|")
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


def _wiki_link(raw: str, move: PageMove, bar: str = "|") -> str:
    match = _WIKI.fullmatch(raw)
    if match is None:
        return raw
    if move.after is None:
        return str(match["label"] or match["target"])
    target = _called(move.after, match["target"])
    label = "" if match["label"] is None else match["bar"] + match["label"]
    if not label and raw.startswith("[[") and (words := move.words_of(match["target"])):
        label = bar + words
    return f"{match['open']}{target}{match['anchor'] or ''}{label}]]"


def _called(entry: PageEntry, written: str) -> str:
    """The page by its path if ``written`` was one, else by its slug."""
    if written.endswith(".md"):
        return entry.path
    return entry.path.removesuffix(".md") if "/" in written else entry.slug


def _definitions(body: str, page: Page, move: PageMove) -> Iterator[str]:
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


def at_path(page: Page, path: str) -> Page:
    """``page`` as it has to be written at ``path``: what links from its folder leads where it led."""
    if posixpath.dirname(path) == posixpath.dirname(page.path):
        return Page(path, page.text)
    body, there = page.body, Page(path, "")
    for link in reversed(page.outline.links):
        match = _INLINE.fullmatch(body[link.start : link.end]) if link.form in ("inline", "image") else None
        if match is not None and _is_relative(match["path"]):
            start, end = (link.start + at for at in match.span("path"))
            body = body[:start] + _path_on(there, path_from(page.path, match["path"]), match["path"]) + body[end:]
    lines = []
    for line in body.splitlines(keepends=True):
        match = _DEFINITION.fullmatch(line)
        if match is not None and _is_relative(match["path"]):
            target = _path_on(there, path_from(page.path, match["path"]), match["path"])
            line = match["lead"] + target + match["rest"]
        lines.append(line)
    return Page(path, page.with_body("".join(lines)).text)


def _is_relative(path: str) -> bool:
    return bool(path) and not path.startswith(("/", "#")) and ":" not in path


def _named(value: Any, key: str, move: PageMove, wiki: Wiki | None) -> Any:
    """What a field says, one name or a list of them: all else in it stays, and a name that is there comes no second time.

    What stood in it twice does so still: to take one out would cost the comments of a list.
    """
    values = value if isinstance(value, list) else [value]
    found: list[Any] = []
    made: dict[str, Any] = {}
    for each in values:
        after = each if _stays(each, key, move, wiki) else _followed(each, move)
        if after == each or (after is not None and after not in values and made.setdefault(after, each) == each):
            found.append(after)
    return found if isinstance(value, list) or not found else found[0]


def _stays(value: Any, key: str, move: PageMove, wiki: Wiki | None) -> bool:
    """True for what names another page. A relation to a page that is gone is none to the next one of its slug."""
    target = named_in_head(value)
    if not target or not move.concerns(target):
        return True
    of_it_alone = key != "links" and target == move.before.slug
    return move.after is None and wiki is not None and not of_it_alone and wiki.resolve(target) is not None


def _followed(value: Any, move: PageMove) -> str | None:
    if move.after is None:
        return None
    written = str(value).strip()
    return (
        _wiki_link(written, replace(move, keeps_words=False))
        if _WIKI.fullmatch(written)
        else _called(move.after, written)
    )


def _related(wiki: Wiki, move: PageMove) -> Iterator[str]:
    """The pages whose relations name the page; relations are not links, so all entries are looked at."""
    for entry in wiki.entries():
        if any(move.concerns(named_in_head(name)) for name in (*entry.contradicts, *entry.supersedes)):
            yield entry.slug

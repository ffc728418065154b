"""Rules on links out of the wiki (research L2, L4, L5): a page tells where its source points, and leads nowhere else.

A URL that is not in the source came from the model, or carries what the model was told to carry out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import SplitResult, parse_qsl, urlsplit

from curator.checks.rules.change import Change
from curator.checks.rules.edits import Edit, code_spans, edits, names_in, raw
from curator.checks.rules.labels import table_heads
from curator.finding import Finding
from curator.wiki.pages.link_targets import scheme_of
from curator.wiki.pages.markdown import Block

WEB = ("http", "https")
MAX_QUERY_VALUE = 100

_BARE = re.compile(r"(?:\bhttps?://|(?<![\w/@.-])www\.)[^\s<>\"`|\]]+", re.IGNORECASE)
_ACTIVE = re.compile(
    r"\b(?:javascript|vbscript):(?=\S)|\bdata:(?=[a-z]+/)|\b(?:file|obsidian|vscode|vscode-insiders|shell|intent|ms-\w+)://(?=[\w/])",
    re.IGNORECASE,
)
_WIKI = ("wiki", "embed")
_EAST_ASIAN = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL"}
_TRAILING = ".,;:!?*_~'\"”’"


def link_scheme(change: Change) -> Iterator[Finding]:
    """link_scheme (L2, L5): a new link is http, https or a page; other schemes are not even written in prose."""
    for edit in edits(change):
        for link in edit.links:
            scheme = scheme_of(link.target) if link.form not in _WIKI else ""
            if link.form == "auto" and not scheme:
                scheme = "mailto"
            if scheme and scheme not in WEB:
                yield Finding("link_scheme", edit.page.path, f"links by {scheme}: {link.target[:80]}", edit.line(link))
        for block in edit.claims:
            for match in _ACTIVE.finditer(block.text):
                if not any(match[0] in code for code in code_spans(raw(edit.page, block))):
                    yield Finding("link_scheme", edit.page.path, f"{match[0]} stands in the text", edit.line(block))


def url_not_in_source(change: Change) -> Iterator[Finding]:
    """url_not_in_source (L2): every new URL, linked or bare, is byte for byte in the source or was on the page."""
    source = change.evidence.document.text
    for edit in edits(change):
        for url, line in _urls(edit):
            if not _occurs(url, source) and not (edit.old is not None and _occurs(url, edit.old.text)):
                yield Finding("url_not_in_source", edit.page.path, f"not in the source: {url[:120]}", line)


def url_host(change: Change) -> Iterator[Finding]:
    """url_host (L4): a new link names its host plainly: no user, no look-alike letters of other scripts."""
    for edit in edits(change):
        for url, line in _linked(edit):
            parts = _split(url)
            if parts is None or not _plain_host(parts):
                yield Finding("url_host", edit.page.path, f"a doubtful host: {url[:120]}", line)


def url_query(change: Change) -> Iterator[Finding]:
    """url_query (L4): no query value, fragment or path part longer than 100 characters that the source does not have."""
    source = change.evidence.document.text
    for edit in edits(change):
        for url, line in _urls(edit):
            parts = _split(url)
            values = [*(v for _, v in parse_qsl(parts.query)), parts.fragment, *parts.path.split("/")] if parts else []
            if any(len(value) > MAX_QUERY_VALUE and value not in source for value in values) and not _occurs(
                url, source
            ):
                yield Finding("url_query", edit.page.path, f"carries data: {url[:120]}", line)


def _urls(edit: Edit) -> Iterator[tuple[str, int]]:
    """Every URL the change adds, with its line: in links, in words, in footnotes, in the frontmatter's names."""
    yield from _linked(edit)
    for block in (*edit.notes, *edit.added("heading"), *edit.added("code")):
        yield from ((url, edit.line(block)) for url in _bare_in(edit, block))
    old = {*names_in([edit.old.fields])} if edit.old else set()
    for text in names_in([edit.page.fields]):
        if text not in old:
            yield from ((url, 1) for url in _bare(text))


def _linked(edit: Edit) -> Iterator[tuple[str, int]]:
    """The URLs a reader can click on: links, and bare ones in prose."""
    for link in edit.links:
        if link.form not in _WIKI and scheme_of(link.target) in WEB:
            yield f"{link.target}#{link.anchor}" if link.anchor else link.target, edit.line(link)
    for block in edit.claims:
        yield from ((url, edit.line(block)) for url in _bare_in(edit, block))
    for line, text in table_heads(edit):
        yield from ((url, line) for url in _bare(text))


def _bare_in(edit: Edit, block: Block) -> Iterator[str]:
    """The bare URLs of a block as they are written: emphasis takes the ``__`` of ``/__future__.html`` out of its text."""
    written = {_unemphasised(url): url for url in _bare(raw(edit.page, block))}
    yield from (written.get(_unemphasised(url), url) for url in _bare(block.text))


def _unemphasised(url: str) -> str:
    return url.replace("_", "").replace("*", "")


def _bare(text: str) -> list[str]:
    return [_trimmed(match[0]) for match in _BARE.finditer(text)]


def _trimmed(url: str) -> str:
    """``url`` without the punctuation of the sentence around it."""
    while url and (url[-1] in _TRAILING or (url[-1] in ")]}" and url.count(url[-1]) > url.count(_OPENING[url[-1]]))):
        url = url[:-1]
    return url


_OPENING = {")": "(", "]": "[", "}": "{"}


def _occurs(url: str, text: str) -> bool:
    """True when ``url`` stands in ``text`` and no host or name goes on where it ends."""
    at = text.find(url)
    while at >= 0:
        if not re.match(r"[\w-]|[.@:%](?=\w)", text[at + len(url) : at + len(url) + 2]):
            return True
        at = text.find(url, at + 1)
    return False


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        return parts if parts.hostname and parts.port != 0 else None  # reading the port raises when it is none
    except ValueError:
        return None


def _plain_host(parts: SplitResult) -> bool:
    host = parts.netloc.rpartition(":")[0] or parts.netloc
    if "@" in parts.netloc or "%" in parts.netloc or "\\" in parts.netloc:
        return False
    if unicodedata.normalize("NFKC", host).casefold() != host.casefold():
        return False
    return all(len(_scripts(label)) <= 1 or _scripts(label) <= {*_EAST_ASIAN, "LATIN"} for label in host.split("."))


def _scripts(label: str) -> set[str]:
    """The scripts of a host's label; a punycode label is read first."""
    if label.casefold().startswith("xn--"):
        try:
            label = label[4:].encode("ascii").decode("punycode")
        except UnicodeError:
            return {"?", "!"}
    return {unicodedata.name(c, "?").split()[0] for c in label if c.isalpha()}

"""Where a link leads, whatever its target is dressed up as: entities, percent signs, white space and case hide nothing."""

from __future__ import annotations

import html
import posixpath
import re
import unicodedata
from urllib.parse import unquote

from curator.wiki.pages.markdown import Link
from curator.wiki.pages.page import Page


def scheme_of(target: str) -> str:
    """The scheme of a link target, whatever it is dressed up as; empty for a path."""
    bare = re.sub(r"[\s\x00-\x20\x7f-\x9f\u200b-\u200f\u2060\ufeff]", "", plain_target(target))
    match = re.match(r"([a-z][a-z0-9+.-]*):", bare)
    if match:
        return match[1]
    return "//" if re.match(r"[/\\]{2}", bare) else ""


def plain_target(target: str) -> str:
    """``target`` with entities and percent signs read, twice: once more than any program does."""
    for _ in range(2):
        target = unquote(html.unescape(target))
    return unicodedata.normalize("NFKC", target).casefold()


def leads_to_source(page: Page, link: Link) -> bool:
    """True for a link into ``sources/``, however it is written."""
    folders = ("",) if link.form == "wiki" else ("", posixpath.dirname(page.path))
    target = plain_target(link.target).replace("\\", "/").strip().lstrip("/")
    return any(
        posixpath.normpath(posixpath.join(folder, target)).lstrip("./").startswith("sources/") for folder in folders
    )

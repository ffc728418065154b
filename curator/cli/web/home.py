"""The first view: the newest pages. Loads nothing that only other views need, for it is what everybody waits for."""

from __future__ import annotations

from starlette.requests import Request

from curator.cli.web.served import OpenWiki
from curator.cli.web.shown import Shown

_RECENT = 100


def home(wiki: OpenWiki, request: Request) -> Shown:
    newest = wiki.snapshot.catalogue.newest(2 * _RECENT)
    seen = [entry for entry in newest if wiki.scope.has(entry, everywhere=True)]
    about = {"pages": wiki.snapshot.catalogue.count(), "sources": len(wiki.snapshot.manifest().sources)}
    return Shown("home.html", {**about, "recent": seen[:_RECENT]})

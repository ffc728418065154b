"""What is read in the browser: pages, their proofs, sources, the graph, a page's history."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from curator.ask.hits import hits_in
from curator.cli.web.addresses import Addresses
from curator.cli.web.graph import graph_of
from curator.cli.web.proofs import proof_of, text_of
from curator.cli.web.reading import read_page
from curator.cli.web.saved_proof import saved_proof
from curator.cli.web.served import OpenWiki
from curator.cli.web.shown import Shown
from curator.cli.web.versions import version_of, versions_of
from curator.errors import ConfigError
from curator.repository.source_files import SourcesFolder

_FOUND = 20
"""Pages that a search shows."""
_DIGITS = 9
_PROVEN = 500
"""Claims that are judged for one request."""


def page(wiki: OpenWiki, request: Request) -> Shown:
    shown = read_page(wiki, request.path_params["slug"], Addresses.served(wiki.shown.name))
    return Shown("page.html", {"page": shown, "commit": wiki.snapshot.base})


def proof(wiki: OpenWiki, request: Request) -> Response:
    """The proof of a page; of a long one in parts, by ``from=`` and ``most=``."""
    first, most = (_number(request.query_params.get(name, "")) for name in ("from", "most"))
    most = min(most or _PROVEN, _PROVEN)
    return JSONResponse(proof_of(wiki, request.path_params["slug"], first=first, most=most, with_history=True))


def _number(written: str) -> int:
    return int(written) if written.isascii() and written.isdigit() and len(written) < _DIGITS else 0


def saved(wiki: OpenWiki, request: Request) -> Shown:
    """The proof of a page as a file."""
    slug = request.path_params["slug"]
    return Shown("saved_proof.html", saved_proof(wiki, slug), file=f"{slug}-proof.html")


def search(wiki: OpenWiki, request: Request) -> Shown:
    words = request.query_params.get("q", "").strip()
    hits = hits_in(wiki.snapshot, wiki.scope, words, _FOUND, everywhere=True) if words else []
    as_typed = request.headers.get("x-requested-with") == "curate"
    return Shown("hits.html" if as_typed else "search.html", {"words": words, "hits": hits})


def graph(wiki: OpenWiki, request: Request) -> Shown:
    return Shown("graph.html")


def graph_data(wiki: OpenWiki, request: Request) -> Response:
    return JSONResponse(graph_of(wiki))


def history(wiki: OpenWiki, request: Request) -> Shown:
    """A page over its commits; ``at=COMMIT``: as it was then, each line with the ingest that brought it."""
    entry = wiki.entry(request.path_params["slug"])
    versions = versions_of(wiki, entry.path)
    asked = request.query_params.get("at", "")
    seen = next((each for each in versions if asked and each.commit.startswith(asked)), versions[0])
    lines = version_of(wiki, entry.path, seen.commit)
    colours = {line["commit"]: line["colour"] for line in lines}
    about = {"entry": entry, "versions": versions, "seen": seen, "lines": lines, "colours": colours}
    return Shown("history.html", about)


def text(wiki: OpenWiki, request: Request) -> Response:
    return JSONResponse(text_of(wiki, request.path_params["path"]))


def raw(wiki: OpenWiki, request: Request) -> Response:
    """The bytes of a source as they lie there now, never as something that a browser would run."""
    path, root = request.path_params["path"], wiki.snapshot.repository.root
    file = root / path
    if not SourcesFolder(root).has(path) or file.is_symlink() or not file.is_file():
        raise ConfigError("source_unknown", f"{path!r} is no file in the wiki's sources/", "see curate sources")
    headers = {"content-disposition": "attachment", "cache-control": "no-store"}
    return Response(file.read_bytes(), media_type="application/octet-stream", headers=headers)

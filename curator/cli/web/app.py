"""The addresses of the page in the browser and what each answers: it calls what the commands call, and adds no rule."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from curator.checks.lint.facts.source_texts import SourcesFolder
from curator.cli.commands import search as searching
from curator.cli.web.graph import graph_of
from curator.cli.web.proofs import proof_of, text_of
from curator.cli.web.reading import page_address, read_page
from curator.cli.web.served import OpenWiki, ShownWiki
from curator.errors import ConfigError, CuratorError

STATIC = Path(__file__).parent / "static"
_FOUND = 20
"""Pages that a search shows."""
_LOOK = 0.5
"""Seconds between two looks at the sources of the page that is shown."""

Answer = Callable[[OpenWiki, Request], Response]


class WebApplication:
    """The Starlette application over ``wikis``."""

    def __init__(self, wikis: Iterable[ShownWiki]) -> None:
        self._wikis = {wiki.name: wiki for wiki in wikis}
        loader = PackageLoader("curator.cli.web")
        self._templates = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
        self._templates.globals["page_address"] = page_address

    @property
    def asgi(self) -> Starlette:
        routes = [
            Route("/", self._start),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route("/{wiki}", self._asked(self._home)),
            Route("/{wiki}/page/{slug}", self._asked(self._page)),
            Route("/{wiki}/proof/{slug}", self._asked(_proof)),
            Route("/{wiki}/text/{path:path}", self._asked(_text)),
            Route("/{wiki}/raw/{path:path}", self._asked(_raw)),
            Route("/{wiki}/search", self._asked(self._search)),
            Route("/{wiki}/graph", self._asked(self._graph)),
            Route("/{wiki}/graph.json", self._asked(_graph_data)),
            Route("/{wiki}/changes", self._changes),
        ]
        return Starlette(routes=routes, exception_handlers={CuratorError: self._refused})

    def _asked(self, answer: Answer) -> Callable[[Request], Any]:
        """An endpoint that opens the wiki that is named, off the loop."""

        def at_work(request: Request) -> Response:
            with self._named(request).opened() as wiki:
                return answer(wiki, request)

        async def endpoint(request: Request) -> Response:
            return await run_in_threadpool(at_work, request)

        return endpoint

    def _named(self, request: Request) -> ShownWiki:
        name = request.path_params["wiki"]
        if name not in self._wikis:
            raise ConfigError("wiki_unknown", f"no wiki {name!r} is open here", f"open are: {', '.join(self._wikis)}")
        return self._wikis[name]

    def _shown(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        given = {"wikis": tuple(self._wikis), **values}
        return HTMLResponse(self._templates.get_template(template).render(given), status)

    async def _start(self, request: Request) -> Response:
        if len(self._wikis) == 1:
            return RedirectResponse(f"/{next(iter(self._wikis))}", 303)
        return self._shown("wikis.html", wiki="")

    async def _refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, CuratorError)  # noqa: S101 - the only kind that is handed here
        status = 404 if error.code.endswith("_unknown") else 409
        if "text/html" in request.headers.get("accept", ""):
            return self._shown("refused.html", status, wiki=request.path_params.get("wiki", ""), error=error)
        return JSONResponse({"code": error.code, "message": error.message, "hint": error.hint}, status)

    # -- reading -----------------------------------------------------------------------------------------------

    def _home(self, wiki: OpenWiki, request: Request) -> Response:
        catalogue = wiki.snapshot.catalogue
        entries = sorted(wiki.snapshot.wiki.entries(), key=lambda entry: entry.updated_at, reverse=True)
        return self._shown(
            "home.html", wiki=wiki.shown.name, pages=catalogue.count(), sources=len(wiki.snapshot.manifest().sources),
            recent=[entry for entry in entries[:200] if wiki.scope.has(entry, everywhere=True)],
        )  # fmt: skip

    def _page(self, wiki: OpenWiki, request: Request) -> Response:
        page = read_page(wiki, request.path_params["slug"])
        return self._shown("page.html", wiki=wiki.shown.name, page=page, commit=wiki.snapshot.base)

    def _search(self, wiki: OpenWiki, request: Request) -> Response:
        words = request.query_params.get("q", "").strip()
        hits = searching.run(wiki.settings, words, _FOUND, everywhere=True).data["hits"] if words else []
        return self._shown("hits.html", wiki=wiki.shown.name, words=words, hits=hits)

    def _graph(self, wiki: OpenWiki, request: Request) -> Response:
        return self._shown("graph.html", wiki=wiki.shown.name)

    # -- what changes while it is looked at -----------------------------------------------------------------------

    async def _changes(self, request: Request) -> Response:
        """Server-sent events: a path of ``source=`` whose file is another than a moment ago."""
        root, paths = self._named(request).root, request.query_params.getlist("source")
        folder = SourcesFolder(root)
        return StreamingResponse(
            changed(root, [path for path in paths if folder.has(path)]), media_type="text/event-stream"
        )


async def changed(root: Path, paths: list[str], every: float = _LOOK) -> AsyncIterator[str]:
    """Server-sent events: each of ``paths`` below ``root``, whenever its file is another than a moment ago."""
    before = {path: _stamp(root / path) for path in paths}
    yield "retry: 2000\n\n"
    while True:
        await asyncio.sleep(every)
        for path in paths:
            now = _stamp(root / path)
            if now != before[path]:
                before[path] = now
                yield f"event: source\ndata: {json.dumps(path)}\n\n"


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat(follow_symlinks=False)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _proof(wiki: OpenWiki, request: Request) -> Response:
    return JSONResponse(proof_of(wiki, request.path_params["slug"]))


def _graph_data(wiki: OpenWiki, request: Request) -> Response:
    return JSONResponse(graph_of(wiki))


def _text(wiki: OpenWiki, request: Request) -> Response:
    return JSONResponse(text_of(wiki, request.path_params["path"]))


def _raw(wiki: OpenWiki, request: Request) -> Response:
    """The bytes of a source as they lie there now, never as something that a browser would run."""
    path = request.path_params["path"]
    file = wiki.snapshot.repository.root / path
    if not SourcesFolder(wiki.snapshot.repository.root).has(path) or file.is_symlink() or not file.is_file():
        raise ConfigError("source_unknown", f"{path!r} is no file in the wiki's sources/", "see curate sources")
    headers = {"content-disposition": "attachment", "cache-control": "no-store"}
    return Response(file.read_bytes(), media_type="application/octet-stream", headers=headers)

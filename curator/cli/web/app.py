"""The application that a browser asks: which address is answered by which view, and how a view's answer becomes HTML."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from curator.checks.lint.facts.source_texts import SourcesFolder
from curator.cli.console import Report
from curator.cli.web import acts, answers, desk, doubts, views
from curator.cli.web.activity import LOOK, ActivityLook, Works, activity_of
from curator.cli.web.addresses import Addresses
from curator.cli.web.served import OpenWiki, ShownWiki
from curator.cli.web.shown import Shown, View
from curator.cli.web.streams import Event, Send, Streams
from curator.cli.web.templating import Templates
from curator.errors import ConfigError, CuratorError

STATIC = Path(__file__).parent / "static"
VENDOR = STATIC / "vendor"
_LOOK = 0.5
"""Seconds between two looks at the sources of the page that is shown."""
_LARGEST = 100_000_000
"""Bytes of a file that is dropped; a larger one is put into ``sources/`` by other means."""

VIEWS: dict[str, View] = {
    "": views.home,
    "/page/{slug}": views.page,
    "/history/{slug}": views.history,
    "/proof/{slug}.json": views.proof,
    "/saved/{slug}": views.saved,
    "/text/{path:path}.json": views.text,
    "/raw/{path:path}": views.raw,
    "/search": views.search,
    "/graph": views.graph,
    "/graph.json": views.graph_data,
    "/ask": desk.ask,
    "/review": desk.waiting,
    "/doubts": doubts.doubts,
    "/lie": desk.lie,
}
"""By the address below the wiki's name."""


class WebApplication:
    """The Starlette application over ``wikis``."""

    def __init__(self, wikis: Iterable[ShownWiki]) -> None:
        self._wikis = {wiki.name: wiki for wiki in wikis}
        self._templates = Templates()
        self._works = Works()
        self.streams = Streams()

    @property
    def asgi(self) -> Starlette:
        routes = [
            Route("/", self._start),
            Mount("/static", StaticFiles(directory=STATIC)),
            *(Route(f"/{{wiki}}{address}", self._answering(view)) for address, view in VIEWS.items()),
            Route("/{wiki}/activity", self._answering(self._activity)),
            Route("/{wiki}/activity/events", self._events),
            Route("/{wiki}/changes", self._changes),
            Route("/{wiki}/answer", self._answer),
            Route("/{wiki}/do", self._do, methods=["POST"]),
            Route("/{wiki}/drop", self._drop, methods=["POST"]),
        ]
        return Starlette(routes=routes, exception_handlers={CuratorError: self._refused})

    def _answering(self, view: View) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint that opens the wiki that is named, off the loop, and shows what ``view`` gives."""

        def at_work(request: Request) -> Response:
            with self._named(request).opened() as wiki:
                return self._response(request, view(wiki, request))

        async def endpoint(request: Request) -> Response:
            return await run_in_threadpool(at_work, request)

        return endpoint

    def _response(self, request: Request, shown: Shown | Response) -> Response:
        if isinstance(shown, Response):
            return shown
        wiki = self._wikis.get(request.path_params.get("wiki", ""))
        about = {
            "wikis": tuple(self._wikis),
            "wiki": wiki.name if wiki else "",
            "writes": wiki is not None and wiki.writes,
            "at": Addresses.served(wiki.name if wiki else ""),
            "has_vendor": VENDOR.is_dir(),
        }
        html = self._templates.filled(shown.template, **{**about, **shown.values})
        headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(shown.file)}"} if shown.file else None
        return HTMLResponse(html, shown.status, headers)

    def _named(self, request: Request, *, writes: bool = False) -> ShownWiki:
        name = request.path_params["wiki"]
        if name not in self._wikis:
            raise ConfigError("wiki_unknown", f"no wiki {name!r} is open here", f"open are: {', '.join(self._wikis)}")
        if writes and not self._wikis[name].writes:
            raise ConfigError("writing_not_allowed", "this page only reads", "start it as: curate open --write")
        return self._wikis[name]

    async def _start(self, request: Request) -> Response:
        if len(self._wikis) == 1:
            return RedirectResponse(f"/{next(iter(self._wikis))}", 303)
        return self._response(request, Shown("wikis.html"))

    async def _refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, CuratorError)  # noqa: S101 - the only kind that is handed here
        status = 404 if error.code.endswith("_unknown") else 403 if error.code == "writing_not_allowed" else 409
        if "text/html" in request.headers.get("accept", ""):
            return self._response(request, Shown("refused.html", {"error": error}, status))
        return JSONResponse({"code": error.code, "message": error.message, "hint": error.hint}, status)

    # -- writing -----------------------------------------------------------------------------------------------

    async def _do(self, request: Request) -> Response:
        """What a form asks for: see ``acts``."""
        shown, form = self._named(request, writes=True), await request.form()
        fields = {name: value for name, value in form.items() if isinstance(value, str)}

        def at_work() -> Response:
            with shown.opened() as wiki:
                return self._response(request, desk.act(wiki, fields))

        return await run_in_threadpool(at_work)

    async def _drop(self, request: Request) -> Response:
        """Files that were dropped, or the address of a page, become sources and are taken in."""
        shown, form = self._named(request, writes=True), await request.form()
        uploads = [each for each in form.getlist("file") if isinstance(each, UploadFile) and each.filename]
        address = f"{form.get('address') or ''}".strip()
        if not (uploads or address) or any((each.size or 0) > _LARGEST for each in uploads):
            raise ConfigError("file_unusable", f"no file of at most {_LARGEST:,} bytes came", "put it into sources/")
        dropped = [(each.filename or "", await each.read()) for each in uploads]

        def at_work() -> Report:
            with self._works.begun(
                shown.name, ", ".join(filter(None, (address, *(name for name, _ in dropped))))
            ) as say:
                return acts.taken_in(shown.settings(), dropped, address, say)

        report = await run_in_threadpool(at_work)
        if "text/html" in request.headers.get("accept", ""):
            about = {"act": acts.ACTS["ingest"], "report": report, "looked": False}
            return self._response(request, Shown("acted.html", about))
        return JSONResponse({"ok": report.ok, "lines": report.lines})

    # -- what changes while it is looked at ---------------------------------------------------------------------

    async def _changes(self, request: Request) -> Response:
        """Server-sent events: a path of ``source=`` whose file is another than a moment ago."""
        root, paths = self._named(request).root, request.query_params.getlist("source")
        folder = SourcesFolder(root)
        return self.streams.looking(Changes(root, [path for path in paths if folder.has(path)]), _LOOK)

    def _activity(self, wiki: OpenWiki, request: Request) -> Shown:
        return Shown("activity.html", activity_of(wiki, self._works))

    async def _events(self, request: Request) -> Response:
        """Server-sent events: what of the page on activity is new."""
        look = ActivityLook(self._named(request), self._works, self._templates)
        return self.streams.looking(look, LOOK)

    async def _answer(self, request: Request) -> Response:
        """Server-sent events: the answer to ``q=``, statement by statement; ``follows=``: on the last question."""
        shown = self._named(request)
        question, follows = desk.question_of(request)

        def work(send: Send) -> None:
            with shown.opened() as wiki:
                answers.told(wiki, question, follows, self._templates, send)

        return self.streams.working(work)


class Changes:
    """Tells each of ``paths`` below ``root``, whenever its file is another than at the last call."""

    def __init__(self, root: Path, paths: Sequence[str]) -> None:
        self._root = root
        self._before = {path: _stamp(root / path) for path in paths}

    def __call__(self) -> Iterator[Event]:
        for path, before in self._before.items():
            now = _stamp(self._root / path)
            if now != before:
                self._before[path] = now
                yield "source", path


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat(follow_symlinks=False)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns

"""The application that a browser asks: which address is answered by which view, and how a view's answer becomes HTML."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from curator.cli.console import Report
from curator.cli.web.addresses import Addresses
from curator.cli.web.lenders import Lenders
from curator.cli.web.loading import LaterViews, view_of
from curator.cli.web.served import OpenWiki, ShownWiki
from curator.cli.web.shown import STATIC, Shown, Templates, View
from curator.cli.web.streams import Send, SourceChanges, Streams
from curator.cli.web.works import Works
from curator.errors import ConfigError, CuratorError

VENDOR = STATIC / "vendor"
_LOOK = 0.5
"""Seconds between two looks at what may change while it is shown."""
_LARGEST = 100_000_000
"""Bytes of a file that is dropped; a larger one is put into ``sources/`` by other means."""


VIEWS: dict[str, View] = {
    "": view_of("home", "home"),
    "/page/{slug}": view_of("views", "page"),
    "/history/{slug}": view_of("views", "history"),
    "/proof/{slug}.json": view_of("views", "proof"),
    "/saved/{slug}": view_of("views", "saved"),
    "/text/{path:path}.json": view_of("views", "text"),
    "/raw/{path:path}": view_of("views", "raw"),
    "/search": view_of("views", "search"),
    "/graph": view_of("views", "graph"),
    "/graph.json": view_of("views", "graph_data"),
    "/review": view_of("doubts", "waiting"),
    "/doubts": view_of("doubts", "doubts"),
    "/lie": view_of("doubts", "lie"),
}
"""By the address below the wiki's name."""


class WebApplication:
    """The Starlette application over ``wikis``."""

    def __init__(self, wikis: Iterable[ShownWiki]) -> None:
        self._wikis = {wiki.name: wiki for wiki in wikis}
        self._templates = Templates()
        self._works = Works()
        self.streams = Streams()
        self.lenders = Lenders()
        self._later = LaterViews()

    @property
    def asgi(self) -> Starlette:
        routes = [
            Route("/", self._start),
            Mount("/static", StaticFiles(directory=STATIC)),
            *(Route(f"/{{wiki}}{address}", self._answering(view)) for address, view in VIEWS.items()),
            Route("/{wiki}/ask", self._answering(self._ask)),
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
            response = await run_in_threadpool(at_work, request)
            self._later.begin()
            return response

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
        from curator.cli.web import acts

        shown, form = self._named(request, writes=True), await request.form()
        fields = {name: value for name, value in form.items() if isinstance(value, str)}

        def at_work() -> Response:
            return self._response(request, acts.carried_out(shown.settings(), fields))

        return await run_in_threadpool(at_work)

    async def _drop(self, request: Request) -> Response:
        """Files that were dropped, or the address of a page, become sources and are taken in."""
        from curator.cli.web import acts

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
            return self._response(request, acts.shown_of("ingest", report, looked=False, fields={}))
        return JSONResponse({"ok": report.ok, "lines": report.lines})

    # -- what changes while it is looked at ---------------------------------------------------------------------

    async def _changes(self, request: Request) -> Response:
        """Server-sent events: a stamp of the files at the paths of ``source=``, whenever it is another."""
        look = SourceChanges(self._named(request).root, request.query_params.getlist("source"))
        return self.streams.looking(look, _LOOK)

    def _activity(self, wiki: OpenWiki, request: Request) -> Shown:
        from curator.cli.web.activity import activity_of

        return Shown("activity.html", activity_of(wiki, self._works))

    async def _events(self, request: Request) -> Response:
        """Server-sent events: what of the page on activity is new."""
        from curator.cli.web.activity import ActivityLook

        look = ActivityLook(self._named(request), self._works, self._templates)
        return self.streams.looking(look, _LOOK)

    def _ask(self, wiki: OpenWiki, request: Request) -> Shown | Response:
        self.lenders.ready(wiki)
        return view_of("answers", "ask")(wiki, request)

    async def _answer(self, request: Request) -> Response:
        """Server-sent events: the answer to ``q=``, statement by statement; ``follows=``: on the last question."""
        from curator.cli.web import answers

        shown = self._named(request)
        question, follows = answers.question_of(request)

        def work(send: Send) -> None:
            with shown.opened() as wiki:
                self.lenders.ready(wiki)
                answers.told(wiki, question, follows, self._templates, send)

        return self.streams.working(work)
